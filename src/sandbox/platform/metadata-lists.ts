import { z } from 'zod'
import { newId } from '../ids.ts'
import { requireSettings, requireWorkspace } from './callers.ts'
import type { ObjectModel } from './data-model.ts'
import { platformError } from './errors.ts'
import type { LiveWorkspace } from './fixtures.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { workspaceOf } from './metadata-views.ts'

const columnInput = z.object({
  viewId: z.string(),
  fieldMetadataId: z.string(),
  isVisible: z.boolean().default(true),
  position: z.number().default(0),
  size: z.number().default(0),
})
/** A column of an object's list: a view field of its INDEX view. */
type Column = z.output<typeof columnInput> & { readonly id: string }
const updateInput = z.object({
  input: z.object({ id: z.string(), update: z.object({ isVisible: z.boolean(), position: z.number(), size: z.number() }).partial() }),
})

/** By object. Not stored: after a start each list is as the platform creates it, with the record's name alone. */
const lists = new WeakMap<LiveWorkspace, Map<string, Column[]>>()

function columnsOf(workspace: LiveWorkspace, { id, fields, labelField }: ObjectModel): Column[] {
  const ofWorkspace = lists.get(workspace) ?? new Map<string, Column[]>()
  lists.set(workspace, ofWorkspace)
  const label = fields.filter(({ name }) => name === labelField)
  const columns =
    ofWorkspace.get(id) ??
    label.map((field) => ({ id: newId(), viewId: id, fieldMetadataId: field.id, isVisible: true, position: 0, size: 180 }))
  ofWorkspace.set(id, columns)
  return columns
}

/** The lists of objects. The schema is recorded, what the platform answers is not: what is doubtful is refused. */
export const listResolvers: MetadataResolvers = {
  getViews(args, { caller }) {
    const workspace = workspaceOf(caller)
    const { objectMetadataId } = z.object({ objectMetadataId: z.string().nullish() }).parse(args)
    const objects = workspace.model.objects().filter(({ id }) => id === (objectMetadataId ?? id))
    return objects.map((object) => ({
      id: object.id,
      key: 'INDEX',
      name: `All ${object.labelPlural}`,
      objectMetadataId: object.id,
      type: 'TABLE',
      viewFields: () => columnsOf(workspace, object),
    }))
  },
  createManyViewFields(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { inputs } = z.object({ inputs: z.array(columnInput) }).parse(args)
    return inputs.map((input) => {
      const object = workspace.model.objectById(input.viewId)
      const isKnown = object?.fields.some(({ id }) => id === input.fieldMetadataId)
      const columns = object && isKnown ? columnsOf(workspace, object) : []
      const isTaken = columns.some(({ fieldMetadataId }) => fieldMetadataId === input.fieldMetadataId)
      if (!isKnown || isTaken) throw platformError('Validation errors occurred while creating view field', 'METADATA_VALIDATION_FAILED')
      const column = { id: newId(), ...input }
      columns.push(column)
      return column
    })
  },
  updateViewField(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { input } = updateInput.parse(args)
    const columns = workspace.model.objects().flatMap((object) => columnsOf(workspace, object))
    const column = columns.find(({ id }) => id === input.id)
    if (!column) throw platformError('View field to update not found', 'NOT_FOUND')
    return Object.assign(column, input.update)
  },
}
