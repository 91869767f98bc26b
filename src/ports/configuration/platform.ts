import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'
import { isTimeZone } from '../../kernel/time-zone.ts'

/** Camel case, as the platform requires. Such a name can be put into a query without escaping. */
const named = (standard: string) =>
  z
    .string()
    .max(63)
    .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be a camelCase name of the platform')
    .default(standard)

const role = (standard: string, description: string) => z.string().trim().min(1).max(100).default(standard).describe(description)

function object<Fields extends z.ZodType>(singular: string, fields: Fields) {
  return z.strictObject({
    singular: named(singular).describe('Name of one'),
    plural: named(`${singular}s`).describe('Name of many'),
    fields: fields.describe('Our name of each field and the one it has in this workspace'),
  })
}

const agent = object(
  'agent',
  z
    .strictObject({
      name: named('name'),
      workspaceMember: named('workspaceMember'),
      sipExtension: named('sipExtension'),
      sipPassword: named('sipPassword'),
      providerAgentId: named('providerAgentId'),
      providerAgentPassword: named('providerAgentPassword'),
      campaignName: named('campaignName'),
    })
    .prefault({}),
)

const lead = object(
  'lead',
  z
    .strictObject({
      name: named('name'),
      phones: named('phones'),
      emails: named('emails'),
      status: named('status'),
      source: named('source'),
      agent: named('agent'),
      aiSummary: named('aiSummary'),
      aiSuggestedAction: named('aiSuggestedAction'),
      aiInsightAt: named('aiInsightAt'),
    })
    .prefault({}),
)

const call = object(
  'call',
  z
    .strictObject({
      name: named('name'),
      ucid: named('ucid'),
      direction: named('direction'),
      status: named('status'),
      startedAt: named('startedAt'),
      answeredAt: named('answeredAt'),
      endedAt: named('endedAt'),
      durationSeconds: named('durationSeconds'),
      phone: named('phone'),
      did: named('did'),
      campaignName: named('campaignName'),
      disposition: named('disposition'),
      notes: named('notes'),
      recording: named('recording'),
      agent: named('agent'),
      lead: named('lead'),
    })
    .prefault({}),
)

const doctor = object(
  'doctor',
  z
    .strictObject({
      name: named('name'),
      speciality: named('speciality'),
      clinic: named('clinic'),
      languages: named('languages'),
      fee: named('fee'),
      active: named('active'),
    })
    .prefault({}),
)

const visitSlot = object(
  'visitSlot',
  z
    .strictObject({
      name: named('name'),
      doctor: named('doctor'),
      startsAt: named('startsAt'),
      endsAt: named('endsAt'),
      state: named('state'),
      lead: named('lead'),
    })
    .prefault({}),
)

export const platformSection = z
  .strictObject({
    apiKey: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .meta({ secret: true })
      .nullable()
      .default(null)
      .describe("The workspace's API key, for writes that no member asked for"),
    roles: z
      .strictObject({
        manager: role('Manager', "The platform's role that makes a member a manager here"),
        user: role('User', "The platform's role that makes a member a user here"),
      })
      .prefault({})
      .describe('Names of the two roles'),
    objects: z
      .strictObject({
        agent: agent.prefault({}),
        lead: lead.prefault({}),
        call: call.prefault({}),
        doctor: doctor.prefault({}),
        visitSlot: visitSlot.prefault({}),
      })
      .prefault({})
      .describe('Names of the platform objects and fields that the service reads and writes'),
    visits: z
      .strictObject({
        timeZone: z
          .string()
          .trim()
          .max(60)
          .refine(isTimeZone, 'must be a time zone of the IANA database, such as Asia/Kolkata')
          .default('Asia/Kolkata')
          .describe("The clinic's time zone (IANA name); visit times are shown in it"),
        slotMinutes: z.int().min(5).max(480).default(15).describe('Length of a visit in minutes if its slot has no end'),
      })
      .prefault({})
      .describe('Visits to doctors'),
  })
  .describe('Platform')

export type PlatformSection = DeepReadonly<z.output<typeof platformSection>>
