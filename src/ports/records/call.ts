import type { z } from 'zod'
import { instant, link, number, relation, text } from './field.ts'
import { recordType, type WriteValues } from './record.ts'

/** One phone call. */
export const callRecord = recordType({
  singular: 'call',
  icon: 'IconPhone',
  columns: ['name', 'startedAt', 'direction', 'status', 'phoneNumber', 'leadId', 'agentId', 'durationSeconds', 'disposition'],
  fields: {
    name: { ...text, description: 'Title of the call' },
    ucid: { ...text, isUnique: true, label: 'UCID', description: "The call's id at the telephony provider" },
    direction: { ...text, types: ['SELECT', 'TEXT'], options: ['INBOUND', 'OUTBOUND'], description: 'Who called whom' },
    status: {
      ...text,
      types: ['SELECT', 'TEXT'],
      options: ['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED'],
      description: 'How far the call is, or how it ended',
    },
    startedAt: { ...instant, description: 'When it began to ring' },
    answeredAt: { ...instant, description: 'When it was answered' },
    endedAt: { ...instant, description: 'When it ended' },
    durationSeconds: { ...number, description: 'How long it took, in seconds' },
    wrapUpSeconds: { ...number, description: 'How long the agent worked on it after its end, in seconds' },
    phoneNumber: { ...text, standardName: 'phone', types: ['TEXT', 'PHONES'], description: "The other party's number" },
    did: { ...text, label: 'DID', description: 'The number of ours that was called or shown' },
    campaignName: { ...text, description: 'Campaign at the telephony provider' },
    disposition: { ...text, types: ['TEXT', 'SELECT'], description: 'Outcome code that the agent chose' },
    notes: { ...text, description: "The agent's notes" },
    recordingUrl: { ...link, standardName: 'recording', description: 'Address of the recording' },
    agentId: { ...relation, standardName: 'agent', target: 'agent', description: 'The agent who handled the call' },
    leadId: { ...relation, standardName: 'lead', target: 'lead', description: 'The lead on the phone' },
  },
})

/** A call as the platform has it; direction and status are the workspace's own words. */
export type CallRecord = z.output<typeof callRecord.schema>

type CallFields = (typeof callRecord)['fields']

/** The fields of a call to write. Missing fields do not change. */
export type CallValues = Omit<WriteValues<CallFields>, 'ucid'>
