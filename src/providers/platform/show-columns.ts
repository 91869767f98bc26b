import { z } from 'zod'
import type { Column } from '../../ports/data-model.ts'
import type { PlatformEndpoint } from './endpoint.ts'

const listAnswer = z.object({
  object: z.object({ fields: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), name: z.string() }) })) }) }),
  getViews: z.array(
    z.object({
      id: z.string(),
      key: z.string().nullish(),
      viewFields: z.array(z.object({ id: z.string(), fieldMetadataId: z.string() })),
    }),
  ),
})

const listDocument = `query ObjectList($objectId: UUID!, $ofObject: String) {
  object(id: $objectId) { fields(paging: { first: 1000 }) { edges { node { id name } } } }
  getViews(objectMetadataId: $ofObject, viewTypes: [TABLE]) { id key viewFields { id fieldMetadataId } }
}`
const addDocument = `mutation AddColumns($inputs: [CreateViewFieldInput!]!) { createManyViewFields(inputs: $inputs) { id } }`
const moveDocument = `mutation MoveColumn($input: UpdateViewFieldInput!) { updateViewField(input: $input) { id } }`
const addedAnswer = z.object({ createManyViewFields: z.array(z.object({ id: z.string() })) })
const movedAnswer = z.object({ updateViewField: z.object({ id: z.string() }) })

/** Wide enough for a date and time. */
const columnWidth = 180

/**
 * Shows fields in an object's list: the table that the platform creates with each object (the view with the key INDEX;
 * Twenty 2.21, from the recorded schema). Does nothing if there is none.
 */
export async function showColumns(
  endpoint: PlatformEndpoint,
  accessToken: string,
  { objectId, columns }: { readonly objectId: string; readonly columns: readonly Column[] },
): Promise<void> {
  const ask = { endpoint: 'metadata', accessToken } as const
  const variables = { objectId, ofObject: objectId }
  const { object, getViews } = await endpoint.request({ ...ask, document: listDocument, variables, answer: listAnswer })
  const list = getViews.find(({ key }) => key === 'INDEX')
  if (!list) return
  const fieldIds = new Map(object.fields.edges.map(({ node }) => [node.name, node.id]))
  const shown = new Map(list.viewFields.map((column) => [column.fieldMetadataId, column.id]))
  const wanted = columns.flatMap(({ name, position }) => {
    const fieldId = fieldIds.get(name)
    return fieldId === undefined ? [] : [{ fieldId, position, columnId: shown.get(fieldId) }]
  })
  const inputs = wanted
    .filter(({ columnId }) => columnId === undefined)
    .map(({ fieldId, position }) => ({ viewId: list.id, fieldMetadataId: fieldId, position, isVisible: true, size: columnWidth }))
  if (inputs.length > 0) await endpoint.request({ ...ask, document: addDocument, variables: { inputs }, answer: addedAnswer })
  // One after another: the platform refuses a root field that is named twice in a document.
  for (const { columnId, position } of wanted) {
    if (columnId === undefined) continue
    const input = { id: columnId, update: { isVisible: true, position } }
    await endpoint.request({ ...ask, document: moveDocument, variables: { input }, answer: movedAnswer })
  }
}
