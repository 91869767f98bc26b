import type { z } from 'zod'
import { lineInput, secretInput } from '../../kernel/input.ts'
import { relation, text } from './field.ts'
import { recordType, withoutSecrets, type WriteValues } from './record.ts'

/** A person who handles calls. The passwords exist only in old workspaces; new ones are sealed in our own store. */
export const agentRecord = recordType({
  singular: 'agent',
  icon: 'IconHeadset',
  columns: ['name', 'memberId', 'sipExtension', 'providerAgentId', 'campaignName'],
  fields: {
    name: {
      ...text,
      types: ['TEXT', 'FULL_NAME'],
      value: text.value.transform((name) => name ?? 'Agent'),
      description: 'Name of the agent',
    },
    memberId: {
      ...relation,
      standardName: 'workspaceMember',
      target: 'workspaceMember',
      description: 'The member of the workspace who is this agent',
    },
    sipExtension: {
      ...text,
      label: 'SIP extension',
      description: 'Extension of the SIP phone; no two agents share one',
      input: lineInput,
    },
    sipPassword: { ...text, description: 'Password of the SIP phone', isSecret: true, input: secretInput },
    providerAgentId: {
      ...text,
      label: 'Provider agent ID',
      description: "The agent's name at the telephony provider",
      input: lineInput,
    },
    providerAgentPassword: {
      ...text,
      description: "The agent's password at the telephony provider",
      isSecret: true,
      input: secretInput,
    },
    campaignName: { ...text, description: 'Campaign that the agent works for', input: lineInput },
  },
})

/** The same without passwords: what others may see. */
export const agentProfileRecord = withoutSecrets(agentRecord)

export type AgentRecord = z.output<typeof agentRecord.schema>
export type AgentProfile = z.output<typeof agentProfileRecord.schema>

/** What is written to an agent record. */
export type AgentValues = WriteValues<Omit<(typeof agentProfileRecord)['fields'], 'memberId'>>
