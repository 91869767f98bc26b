import { AppError } from '../../kernel/errors.ts'
import type { DataModel, ExistingObject } from '../../ports/data-model.ts'
import type { PlanItem } from './provisioning-plan.ts'

export type CarryOutOptions = {
  readonly model: DataModel
  readonly accessToken: string
  readonly objects: readonly ExistingObject[]
  /** When to begin nothing more: what is not made by then stays missing. */
  readonly until: AbortSignal
}

/** Makes what is missing, one after the other; what fails is said and does not keep the rest from being made. */
export async function carryOutPlan(plan: readonly PlanItem[], options: CarryOutOptions): Promise<readonly PlanItem[]> {
  const progress = { ids: new Map(options.objects.map(({ singular, id }) => [singular, id])), made: new Set<string>() }
  const done: PlanItem[] = []
  for (const item of plan) {
    const isDue = item.state === 'MISSING' && !options.until.aborted
    done.push(isDue ? await carryOut(item, progress, options) : item)
  }
  return done
}

type Progress = { readonly ids: Map<string, string>; readonly made: Set<string> }

async function carryOut(item: PlanItem, progress: Progress, { model, accessToken }: CarryOutOptions): Promise<PlanItem> {
  try {
    if (item.kind === 'ROLE') await model.createRole(accessToken, item.role)
    else if (item.kind === 'FIELD') await createField(item, progress, { model, accessToken })
    else {
      progress.ids.set(item.name, await model.createObject(accessToken, newObject(item)))
      progress.made.add(item.name)
    }
    return { ...item, state: 'CREATED' }
  } catch (error) {
    if (error instanceof AppError) return { ...item, state: 'FAILED', detail: error.message }
    throw error
  }
}

type FieldItem = Extract<PlanItem, { kind: 'FIELD' }>
type ObjectItem = Extract<PlanItem, { kind: 'OBJECT' }>

async function createField(
  { object, field }: FieldItem,
  { ids, made }: Progress,
  { model, accessToken }: Pick<CarryOutOptions, 'model' | 'accessToken'>,
): Promise<void> {
  // A new object comes with a name.
  if (made.has(object.singular) && field.name === 'name') return
  const [type = 'TEXT'] = field.types
  const objectId = idOf(ids, object.singular)
  const relation = field.target === null ? null : { targetId: idOf(ids, field.target), backLabel: labelOf(object.plural) }
  const { name, isUnique, options } = field
  await model.createField(accessToken, { objectId, name, label: labelOf(name), type, isUnique, options, relation })
}

function idOf(ids: ReadonlyMap<string, string>, singular: string): string {
  const id = ids.get(singular)
  if (id === undefined) throw new AppError('WRONG_STATE', { detail: `needs the object ${singular}, which is not there` })
  return id
}

function newObject({ object: { singular, plural, icon } }: ObjectItem) {
  return { singular, plural, singularLabel: labelOf(singular), pluralLabel: labelOf(plural), icon }
}

/** `durationSeconds` -> `Duration seconds`. */
function labelOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
