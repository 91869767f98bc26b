import type { z } from 'zod'
import { instant, phones, relation, text } from './field.ts'
import { recordType } from './record.ts'

/** A person who calls, is called, or chats: a patient or somebody who may become one. */
export const leadRecord = recordType({
  singular: 'lead',
  icon: 'IconTarget',
  columns: ['name', 'phones', 'status', 'agentId', 'aiSummary', 'aiSuggestedAction', 'source'],
  fields: {
    name: { ...text, types: ['TEXT', 'FULL_NAME'], description: 'Name of the lead' },
    phones: { ...phones, description: 'Phone numbers; calls are matched to leads by them' },
    email: { ...text, standardName: 'emails', types: ['EMAILS'], description: 'E-mail addresses' },
    status: { ...text, types: ['SELECT', 'TEXT'], options: ['NEW', 'IN_PROGRESS', 'WON', 'LOST'], description: 'How far the lead is' },
    source: { ...text, types: ['TEXT', 'SELECT'], description: 'Where the lead comes from' },
    agentId: { ...relation, standardName: 'agent', target: 'agent', description: 'The agent who takes care of the lead' },
    aiSummary: { ...text, label: 'AI summary', description: 'Summary that the language model writes after a call' },
    aiSuggestedAction: {
      ...text,
      types: ['TEXT', 'SELECT'],
      label: 'AI suggested action',
      description: 'What the language model suggests to do next',
    },
    aiInsightAt: { ...instant, label: 'AI summary written at', description: 'When the summary was written' },
  },
})

/** The lead's fields as they are read; ports derive `LeadRecord` from them. */
export type LeadFields = z.output<typeof leadRecord.schema>
