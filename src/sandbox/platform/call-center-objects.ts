import { makeOptions } from './data-model.ts'
import { addRow, type Fields, relate } from './standard-objects.ts'
import type { WorkspaceModel } from './workspace-model.ts'

const choice = (values: readonly string[], first?: string) =>
  ({ type: 'SELECT', options: makeOptions(values), defaultValue: first === undefined ? null : `'${first}'` }) as const

/** The custom objects of a call center workspace: agent, lead, call, doctor, visitSlot. */
export function addCallCenterObjects(model: WorkspaceModel): void {
  const add = (name: string, fields: Fields): void => addRow(model, [name, `${name}s`, { isCustom: true, hasActivity: true }, fields])
  // As in an old installation, in which the platform stores the passwords: the sidecar reads them here, and its configuration test warns.
  add('agent', { sipExtension: 'TEXT', sipPassword: 'TEXT', providerAgentId: 'TEXT', providerAgentPassword: 'TEXT', campaignName: 'TEXT' })
  add('lead', {
    phones: 'PHONES',
    emails: 'EMAILS',
    status: choice(['NEW', 'IN_PROGRESS', 'WON', 'LOST']),
    source: 'TEXT',
    aiSummary: 'TEXT',
    aiSuggestedAction: 'TEXT',
    aiInsightAt: 'DATE_TIME',
  })
  add('call', {
    ucid: { type: 'TEXT', isUnique: true },
    direction: choice(['INBOUND', 'OUTBOUND']),
    status: choice(['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED']),
    startedAt: 'DATE_TIME',
    answeredAt: 'DATE_TIME',
    endedAt: 'DATE_TIME',
    durationSeconds: 'NUMBER',
    wrapUpSeconds: 'NUMBER',
    phone: 'TEXT',
    did: 'TEXT',
    campaignName: 'TEXT',
    disposition: 'TEXT',
    notes: 'TEXT',
    recording: 'LINKS',
  })
  add('doctor', { speciality: 'TEXT', clinic: 'TEXT', languages: 'ARRAY', fee: 'NUMBER', active: { type: 'BOOLEAN', defaultValue: true } })
  add('visitSlot', { startsAt: 'DATE_TIME', endsAt: 'DATE_TIME', state: choice(['FREE', 'HELD', 'BOOKED'], 'FREE') })
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
