import { isIPv4 } from 'node:net'
import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'
import { type CountryCode, isCountry } from '../../kernel/phone.ts'
import { newLeadSettings } from './new-leads.ts'
import { type ProviderChoice, providerField } from './provider-field.ts'

/** The waiting times that the history counts, seconds: it knows the service level for each of them, also of days that are over. */
export const serviceLevels = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300] as const

const text = (maxLength = 200) => z.string().trim().min(1).max(maxLength)
const unset = <Schema extends z.ZodType>(schema: Schema, description: string) => schema.nullable().default(null).describe(description)
const choices = (description: string) =>
  z
    .array(text(100))
    .max(200)
    .refine((names) => new Set(names).size === names.length, 'must not name anything twice')
    .default([])
    .describe(description)

export type TelephonyOptions = {
  readonly defaultCountry: CountryCode
  readonly telephony: readonly ProviderChoice[]
  readonly outbound: readonly ProviderChoice[]
}

const sipSection = z
  .strictObject({
    domain: unset(
      z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i, 'must be a host name'),
      'Host of the SIP server that browser phones register with',
    ),
    wsPort: z.int().min(1).max(65_535).default(444).describe('Port of the secure WebSocket of the SIP server'),
    wsPath: z
      .string()
      .max(200)
      .regex(/^\/[\w.~/-]*$/, 'must begin with / and have only letters, digits and . _ ~ / -')
      .default('/')
      .describe('Path of the secure WebSocket of the SIP server: for Asterisk /ws'),
  })
  .prefault({})
  .describe('The SIP server of browser phones')

export function telephonySection({ defaultCountry, telephony, outbound }: TelephonyOptions) {
  return z
    .strictObject({
      defaultCountry: z
        .string()
        .refine(isCountry, 'must be a country code such as IN')
        .default(defaultCountry)
        .describe('Country of phone numbers that are written without a country code'),
      provider: providerField(telephony, 'The telephony provider that agents sign in to and calls come from'),
      outbound: providerField(outbound, 'The second telephony provider, used for outbound calls'),
      defaultAgentId: unset(
        text().meta({ destination: true }),
        'The agent at the telephony provider for members whose agent record names no provider agent; they share one session',
      ),
      defaultAgentPassword: unset(
        text().meta({ secret: true, sentTo: ['provider', 'defaultAgentId'] }),
        'The password of the default agent at the telephony provider',
      ),
      sipId: unset(text(), 'SIP user of the default agent'),
      did: unset(z.string().regex(/^\+?\d{3,20}$/, 'must be a phone number in digits'), 'The phone number that callers see and dial'),
      campaignName: unset(text(), "The campaign of every agent; if empty, the campaign of the agent's own record"),
      dispositions: choices(
        "The outcome codes that agents may send, as the provider's account names them; if empty, every code goes to the provider",
      ),
      notReadyReasons: choices(
        "The reasons that agents may give for not being ready, as the provider's account names them; if empty, every reason goes to the provider",
      ),
      wrapUpSeconds: unset(
        z.int().min(10).max(3_600),
        "After how many seconds the provider's account ends a wrap-up without an outcome; the desk counts down and saves before. If empty, it shows no end",
      ),
      newLeads: newLeadSettings,
      claimMinutes: z
        .int()
        .min(1)
        .max(240)
        .default(15)
        .describe('Minutes until a person whom an agent claimed in the worklist, and does not call, returns to the list'),
      serviceLevelSeconds: z
        .literal(serviceLevels)
        .default(20)
        .describe(
          `The seconds in which inbound calls should be answered, for the service level in the history: ${serviceLevels.join(', ')}`,
        ),
      sip: sipSection,
    })
    .describe('Telephony')
}

export type TelephonySection = DeepReadonly<z.output<ReturnType<typeof telephonySection>>>

/** Where browser phones register; null without a SIP server. A server on the browser's own machine needs no certificate. */
export function sipSocketUrl({ domain, wsPort, wsPath }: TelephonySection['sip']): string | null {
  if (domain === null) return null
  const isOwnMachine = domain.toLowerCase() === 'localhost' || (isIPv4(domain) && domain.startsWith('127.'))
  return `${isOwnMachine ? 'ws' : 'wss'}://${domain}:${wsPort}${wsPath === '/' ? '' : wsPath}`
}
