import { AppError } from '../../kernel/errors.ts'
import type { DataModel, ExistingObject } from '../../ports/data-model.ts'
import type { PlanItem } from './provisioning-plan.ts'
import { labelOf } from './required-model.ts'

export type Creation = {
  readonly accessToken: string
  readonly objects: readonly ExistingObject[]
  /** Nothing more is created after this signal: what is missing then stays missing. */
  readonly until: AbortSignal
}

/** Creates the missing items one after another. An item that fails says why; the others are created all the same. */
export async function createMissing(model: DataModel, plan: readonly PlanItem[], creation: Creation): Promise<readonly PlanItem[]> {
  const { accessToken, objects, until } = creation
  const progress: Progress = {
    model,
    accessToken,
    ids: new Map(objects.map(({ singular, id }) => [singular, id])),
    created: new Set<string>(),
    managersOnly: plan.flatMap((item) => (item.kind === 'OBJECT' && item.object.isManagersOnly ? [item.name] : [])),
    userRole: plan.find((item) => item.kind === 'ROLE' && item.role.kind === 'USER' && item.state === 'EXISTS')?.name ?? null,
  }
  const items: PlanItem[] = []
  for (const item of plan) {
    const isDue = item.state === 'MISSING' && !until.aborted
    items.push(isDue ? await create(item, progress) : item)
  }
  const arranged: PlanItem[] = []
  for (const item of items) arranged.push(item.kind === 'OBJECT' && !until.aborted ? await withColumns(item, items, progress) : item)
  return arranged
}

/** Shows the created fields in the list of their object. What the platform refuses of it is said, and changes nothing else. */
async function withColumns(item: ObjectItem, items: readonly PlanItem[], { model, accessToken, ids }: Progress): Promise<PlanItem> {
  const { singular, columns } = item.object
  const created = new Set(
    items.flatMap((other) =>
      other.kind === 'FIELD' && other.state === 'CREATED' && other.object.singular === singular ? other.field.name : [],
    ),
  )
  const shown = columns.flatMap((name, position) => (created.has(name) ? [{ name, position }] : []))
  if (shown.length === 0) return item
  try {
    await model.showColumns(accessToken, { objectId: idOf(ids, singular), columns: shown })
    return item
  } catch (error) {
    if (error instanceof AppError) return { ...item, detail: `The columns of its list could not be arranged: ${error.message}` }
    throw error
  }
}

type Progress = {
  readonly model: DataModel
  readonly accessToken: string
  /** The ids of all objects, by their singular names. */
  readonly ids: Map<string, string>
  readonly created: Set<string>
  /** Objects (singular) whose records only managers change. */
  readonly managersOnly: readonly string[]
  /** The label of the users' role; null until it exists. */
  userRole: string | null
}

async function create(item: PlanItem, progress: Progress): Promise<PlanItem> {
  const { model, accessToken, ids, created } = progress
  try {
    if (item.kind === 'FIELD') {
      await createField(item, progress)
      return { ...item, state: 'CREATED' }
    }
    if (item.kind === 'ROLE') {
      await model.createRole(accessToken, { label: item.name, kind: item.role.kind })
      if (item.role.kind !== 'USER') return { ...item, state: 'CREATED' }
      progress.userRole = item.name
      return { ...item, state: 'CREATED', detail: await protect(progress.managersOnly, progress) }
    }
    ids.set(item.name, await model.createObject(accessToken, newObject(item)))
    created.add(item.name)
    return { ...item, state: 'CREATED', detail: item.object.isManagersOnly ? await protect([item.name], progress) : null }
  } catch (error) {
    if (error instanceof AppError) return { ...item, state: 'FAILED', detail: error.message }
    throw error
  }
}

/** Takes the right to change these objects' records from the users' role. Returns what the platform refused of it; else null. */
async function protect(names: readonly string[], { model, accessToken, ids, userRole }: Progress): Promise<string | null> {
  const objectIds = names.flatMap((name) => ids.get(name) ?? [])
  if (userRole === null) return null
  try {
    for (const objectId of objectIds) await model.makeReadOnly(accessToken, { objectId, roleLabel: userRole })
    return null
  } catch (error) {
    if (error instanceof AppError) return `The role ${userRole} may still change the records of ${names.join(', ')}: ${error.message}`
    throw error
  }
}

type FieldItem = Extract<PlanItem, { kind: 'FIELD' }>
type ObjectItem = Extract<PlanItem, { kind: 'OBJECT' }>

async function createField({ object, field }: FieldItem, { model, accessToken, ids, created }: Progress): Promise<void> {
  // The platform creates the field `name` with each object.
  if (created.has(object.singular) && field.name === 'name') return
  const [type = 'TEXT'] = field.types
  const objectId = idOf(ids, object.singular)
  const relation =
    field.target === null ? null : { targetId: idOf(ids, field.target), backLabel: labelOf(object.plural), backIcon: object.icon }
  const { name, label, description, isUnique, options } = field
  await model.createField(accessToken, { objectId, name, label, description, type, isUnique, options, relation })
}

function idOf(ids: ReadonlyMap<string, string>, singular: string): string {
  const id = ids.get(singular)
  if (id === undefined) throw new AppError('WRONG_STATE', { detail: `needs the object ${singular}, which does not exist` })
  return id
}

function newObject({ object: { singular, plural, icon } }: ObjectItem) {
  return { singular, plural, singularLabel: labelOf(singular), pluralLabel: labelOf(plural), icon }
}
