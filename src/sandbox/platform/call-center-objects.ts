import { makeOptions } from './data-model.ts'
import { addRow, relate } from './standard-objects.ts'
import type { WorkspaceModel } from './workspace-model.ts'

const custom = { isCustom: true, hasActivity: true } as const
const choice = (values: readonly string[], first?: string) =>
  ({ type: 'SELECT', options: makeOptions(values), defaultValue: first === undefined ? null : `'${first}'` }) as const

/** The custom objects of a call center workspace: agent, lead, call, doctor, visitSlot. */
export function addCallCenterObjects(model: WorkspaceModel): void {
  // As in an old installation, in which the platform stores the passwords: the sidecar reads them here, and its configuration test warns.
  addRow(model, [
    'agent',
    'agents',
    custom,
    { sipExtension: 'TEXT', sipPassword: 'TEXT', providerAgentId: 'TEXT', providerAgentPassword: 'TEXT', campaignName: 'TEXT' },
  ])
  addRow(model, [
    'lead',
    'leads',
    custom,
    {
      phones: 'PHONES',
      emails: 'EMAILS',
      status: choice(['NEW', 'IN_PROGRESS', 'WON', 'LOST']),
      source: 'TEXT',
      aiSummary: 'TEXT',
      aiSuggestedAction: 'TEXT',
      aiInsightAt: 'DATE_TIME',
    },
  ])
  addRow(model, [
    'call',
    'calls',
    custom,
    {
      ucid: { type: 'TEXT', isUnique: true },
      direction: choice(['INBOUND', 'OUTBOUND']),
      status: choice(['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED']),
      startedAt: 'DATE_TIME',
      answeredAt: 'DATE_TIME',
      endedAt: 'DATE_TIME',
      durationSeconds: 'NUMBER',
      phone: 'TEXT',
      did: 'TEXT',
      campaignName: 'TEXT',
      disposition: 'TEXT',
      notes: 'TEXT',
      recording: 'LINKS',
    },
  ])
  addRow(model, [
    'doctor',
    'doctors',
    custom,
    { speciality: 'TEXT', clinic: 'TEXT', languages: 'ARRAY', fee: 'NUMBER', active: { type: 'BOOLEAN', defaultValue: true } },
  ])
  addRow(model, [
    'visitSlot',
    'visitSlots',
    custom,
    { startsAt: 'DATE_TIME', endsAt: 'DATE_TIME', state: choice(['FREE', 'HELD', 'BOOKED'], 'FREE') },
  ])
  for (const relation of relations) relate(model, relation)
}

const relations = [
  ['agent', 'workspaceMember', 'workspaceMember', 'agents'],
  ['lead', 'agent', 'agent', 'leads'],
  ['call', 'agent', 'agent', 'calls'],
  ['call', 'lead', 'lead', 'calls'],
  ['visitSlot', 'doctor', 'doctor', 'visitSlots'],
  ['visitSlot', 'lead', 'lead', 'visitSlots'],
] as const
