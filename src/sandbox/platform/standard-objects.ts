import { type FieldInput, labelOf, makeOptions } from './data-model.ts'
import type { FieldType } from './field-types.ts'
import type { ObjectInput, WorkspaceModel } from './workspace-model.ts'

export type Fields = Readonly<Record<string, FieldType | Omit<FieldInput, 'name'>>>
type Row = readonly [string, string, Partial<ObjectInput>, Fields]

/** The platform's own objects that the call center touches, holders of activity first. */
const standardObjects: readonly Row[] = [
  [
    'timelineActivity',
    'timelineActivities',
    { isSystem: true },
    {
      happensAt: 'DATE_TIME',
      properties: 'RAW_JSON',
      linkedRecordCachedName: 'TEXT',
      linkedRecordId: 'UUID',
      linkedObjectMetadataId: 'UUID',
    },
  ],
  ['noteTarget', 'noteTargets', { isSystem: true, labelField: 'id' }, {}],
  ['taskTarget', 'taskTargets', { isSystem: true, labelField: 'id' }, {}],
  ['attachment', 'attachments', { isSystem: true }, { fullPath: 'TEXT' }],
  [
    'workspaceMember',
    'workspaceMembers',
    { isSystem: true },
    {
      name: 'FULL_NAME',
      userId: { type: 'UUID', isNullable: false },
      userEmail: 'TEXT',
      jobTitle: 'TEXT',
      avatarUrl: 'TEXT',
      locale: { type: 'TEXT', isNullable: false },
      timeZone: { type: 'TEXT', isNullable: false },
      colorScheme: { type: 'TEXT', isNullable: false },
    },
  ],
  [
    'company',
    'companies',
    { hasActivity: true },
    { domainName: { type: 'LINKS', isUnique: true }, address: 'ADDRESS', annualRecurringRevenue: 'CURRENCY' },
  ],
  [
    'person',
    'people',
    { hasActivity: true },
    {
      name: 'FULL_NAME',
      emails: { type: 'EMAILS', isUnique: true },
      phones: 'PHONES',
      jobTitle: 'TEXT',
      city: 'TEXT',
      linkedinLink: 'LINKS',
    },
  ],
  ['note', 'notes', { labelField: 'title' }, { title: 'TEXT', bodyV2: 'RICH_TEXT' }],
  [
    'task',
    'tasks',
    { labelField: 'title' },
    {
      title: 'TEXT',
      bodyV2: 'RICH_TEXT',
      dueAt: 'DATE_TIME',
      status: { type: 'SELECT', options: makeOptions(['TODO', 'IN_PROGRESS', 'DONE']), defaultValue: "'TODO'" },
    },
  ],
]

const relations: readonly (readonly [from: string, name: string, to: string, backName: string])[] = [
  ['noteTarget', 'note', 'note', 'noteTargets'],
  ['taskTarget', 'task', 'task', 'taskTargets'],
  ['timelineActivity', 'workspaceMember', 'workspaceMember', 'timelineActivities'],
  ['timelineActivity', 'targetNote', 'note', 'timelineActivities'],
  ['timelineActivity', 'targetTask', 'task', 'timelineActivities'],
  ['task', 'assignee', 'workspaceMember', 'assignedTasks'],
  ['person', 'company', 'company', 'people'],
]

export function addStandardObjects(model: WorkspaceModel): void {
  for (const row of standardObjects) addRow(model, row)
  for (const relation of relations) relate(model, relation)
}

/** Adds an object from a compact row: names, further properties, fields by name. */
export function addRow(model: WorkspaceModel, [nameSingular, namePlural, more, fields]: Row): void {
  model.addObject({
    nameSingular,
    namePlural,
    labelSingular: labelOf(nameSingular),
    labelPlural: labelOf(namePlural),
    ...more,
    fields: Object.entries(fields).map(([name, field]) => (typeof field === 'string' ? { name, type: field } : { ...field, name })),
  })
}

export function relate(model: WorkspaceModel, [from, name, to, backName]: readonly [string, string, string, string]): void {
  model.addRelation(model.knownObject(from), { name, target: model.knownObject(to), backName })
}
