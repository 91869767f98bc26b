import type { FieldInput, FieldModel, FieldUse, ObjectModel } from './data-model.ts'
import { baseFields, fieldUses, labelOf, makeField, objectModelSchema } from './data-model.ts'
import { newId } from '../ids.ts'
import { capitalized } from './json.ts'
import { type DocumentStorage, openMap } from './storage.ts'

export type ObjectInput = Pick<ObjectModel, 'nameSingular' | 'namePlural' | 'labelSingular' | 'labelPlural'> &
  Partial<Pick<ObjectModel, 'description' | 'icon' | 'isCustom' | 'isSystem' | 'labelField'>> & {
    readonly fields?: readonly FieldInput[]
    /** Whether notes, tasks, attachments and the timeline may point at it. */
    readonly hasActivity?: boolean
  }

/** The objects of one workspace, and how a new object or field is joined to the others. */
export interface WorkspaceModel {
  /** Grows with every change; a schema or a plan made for another version is stale. */
  readonly version: number
  objects(): readonly ObjectModel[]
  object(nameSingular: string): ObjectModel | undefined
  /** Throws if there is none. */
  knownObject(nameSingular: string): ObjectModel
  objectById(id: string): ObjectModel | undefined
  uses(object: ObjectModel): ReadonlyMap<string, FieldUse>
  addObject(input: ObjectInput): ObjectModel
  addField(object: ObjectModel, input: FieldInput): FieldModel
  /** A relation from `object` to one of `target`, and the list back; answers the field that was asked for, which is the list if it has a label. */
  addRelation(
    object: ObjectModel,
    relation: {
      name: string
      label?: string
      target: ObjectModel
      backName: string
      backLabel?: string
      isSystem?: boolean
    },
  ): FieldModel
  removeField(object: ObjectModel, field: FieldModel): void
  /** With the relations that point at it. */
  removeObject(object: ObjectModel): void
}

/** Objects that can point at any record with activity, and the name of the list there. */
const activityLists = [
  ['timelineActivity', 'timelineActivities'],
  ['noteTarget', 'noteTargets'],
  ['taskTarget', 'taskTargets'],
  ['attachment', 'attachments'],
] as const

/** The versions of the platform that differ in what a client sees. */
export const versions = ['2.21', '1.3'] as const
export type Version = (typeof versions)[number]

type Options = { readonly workspaceId: string; readonly version: Version }

export function openWorkspaceModel(storage: DocumentStorage, { workspaceId, version: platform }: Options): WorkspaceModel {
  const kept = openMap(storage, `object:${workspaceId}`, objectModelSchema)
  const byName = new Map([...kept.values()].map((object) => [object.nameSingular, object]))
  let uses = new Map<string, ReadonlyMap<string, FieldUse>>()
  let version = 1

  const save = (object: ObjectModel): void => {
    kept.set(object.id, object)
    byName.set(object.nameSingular, object)
    uses = new Map()
    version += 1
  }

  const addField = (object: ObjectModel, input: FieldInput): FieldModel => {
    const field = makeField(input)
    object.fields.push(field)
    save(object)
    return field
  }

  const addRelation: WorkspaceModel['addRelation'] = (object, { name, label, target, backName, backLabel, isSystem = false }) => {
    const toOne = { type: 'MANY_TO_ONE', target: target.nameSingular, targetField: backName } as const
    const toMany = { type: 'ONE_TO_MANY', target: object.nameSingular, targetField: name } as const
    const field = addField(object, { name, label: label ?? labelOf(name), type: 'RELATION', relation: toOne, isSystem })
    const back = addField(target, { name: backName, label: backLabel ?? labelOf(backName), type: 'RELATION', relation: toMany, isSystem })
    return backLabel === undefined ? field : back
  }

  return {
    get version() {
      return version
    },
    objects: () => [...byName.values()],
    object: (nameSingular) => byName.get(nameSingular),
    knownObject: (nameSingular) => byName.get(nameSingular) ?? noObject(nameSingular),
    objectById: (id) => kept.get(id),
    uses(object) {
      const known = uses.get(object.id) ?? fieldUses(object)
      uses.set(object.id, known)
      return known
    },
    addObject(input) {
      const object = makeObject(input, workspaceId)
      save(object)
      const name = platform === '1.3' ? object.nameSingular : `target${capitalized(object.nameSingular)}`
      for (const [holderName, backName] of input.hasActivity === true ? activityLists : []) {
        const holder = byName.get(holderName)
        if (holder) addRelation(holder, { name, target: object, backName, isSystem: true })
      }
      return object
    },
    addField,
    addRelation,
    removeField: (object, { id }) => save({ ...object, fields: object.fields.filter((field) => field.id !== id) }),
    removeObject({ id, nameSingular }) {
      for (const other of byName.values())
        save({ ...other, fields: other.fields.filter(({ relation }) => relation?.target !== nameSingular) })
      kept.delete(id)
      byName.delete(nameSingular)
    },
  }
}

function noObject(name: string): never {
  throw new Error(`no object ${name}`)
}

function makeObject({ fields = [], hasActivity: _joined, ...input }: ObjectInput, workspaceId: string): ObjectModel {
  const labelField = input.labelField ?? 'name'
  const own = fields.map(makeField)
  const label = own.some((field) => field.name === labelField) || labelField === 'id' ? [] : [makeField({ name: labelField, type: 'TEXT' })]
  const defaults = { description: '', icon: 'IconListNumbers', isCustom: false, isSystem: false, labelField }
  return { ...defaults, ...input, id: newId(), workspaceId, fields: [...label, ...baseFields(), ...own] }
}

/** The join column by which one object points at another (`targetLeadId`; in version 1.3 `leadId`), or null. */
export function relationColumn(model: WorkspaceModel, from: string, target: string): string | null {
  const object = model.object(from)
  for (const use of object ? model.uses(object).values() : []) {
    if (use.kind === 'toOne' && use.target === target && target !== 'workspaceMember') return use.joinColumn
  }
  return null
}
