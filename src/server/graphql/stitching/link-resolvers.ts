import { batchDelegateToSchema } from '@graphql-tools/batch-delegate'
import type { SubschemaConfig, Transform } from '@graphql-tools/delegate'
import { createGraphQLError, type ExecutionResult, type IResolvers } from '@graphql-tools/utils'
import {
  type FieldNode,
  getNamedType,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import { AppError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { isRecord } from '../envelope.ts'
import type { LinkKey, RecordLink } from './record-links.ts'

/** The platform shows at most 60 records of a list unless it is asked for more, and refuses far more. */
const maxRecords = 60

/** The link as far as the workspace has such records; null if they cannot be found by a field that our type has, or if it has the link's name. */
export function usableLink(link: RecordLink, { records, ours }: Schemas): RecordLink | null {
  const { typeName, fieldName, record } = link
  const type = ours.getType(typeName)
  const own = isObjectType(type) ? type.getFields() : {}
  const rootField = records.getQueryType()?.getFields()[record.rootField]
  const filter = getNamedType(rootField?.args.find(({ name }) => name === 'filter')?.type)
  const conditions = isInputObjectType(filter) ? filter.getFields() : {}
  const keys = link.keys.filter((key) => key.own in own && key.by in conditions)
  return isObjectType(records.getType(record.typeName)) && keys.length > 0 && !(fieldName in own) ? { ...link, keys } : null
}
type Schemas = { readonly records: GraphQLSchema; readonly ours: GraphQLSchema }

export function linkSdl({ fieldName, description, record }: RecordLink, typeName: string): string {
  return `extend type ${typeName} {\n  ${JSON.stringify(description)}\n  ${fieldName}: ${record.typeName}\n}`
}

/** Reads the records of one field of an answer with one request of the platform, or one for every 60 ids, 30 other keys. `typeName`: ours in the stitched schema. */
export function linkResolver(
  { fieldName, keys, record: { rootField } }: RecordLink,
  typeName: string,
  subschema: SubschemaConfig,
): IResolvers {
  const transforms = [nodesOf(rootField)]
  return {
    [typeName]: {
      [fieldName]: {
        selectionSet: `{ ${keys.map(({ own }) => `${keyAlias(own)}: ${own}`).join(' ')} }`,
        // oxlint-disable-next-line max-params -- the signature is graphql's
        resolve: (parent: Readonly<Record<string, unknown>>, _args: unknown, context: object, info): unknown => {
          const wanted = wantedOf(parent, keys)
          if (wanted === null) return null
          const { by } = wanted
          refuseAlias(info, by)
          // Another program may have written a second record of a call: it pushes no other one out.
          const perKey = by === 'id' ? 1 : 2
          return batchDelegateToSchema({
            schema: subschema,
            operation: OperationTypeNode.QUERY,
            fieldName: rootField,
            key: wanted.id,
            argsFromKeys: (ids) => ({ filter: { [by]: { in: ids } }, first: perKey * ids.length }),
            selectionSet: connectionSelection(info, by),
            valuesFromResults: (found, ids) => inOrder(found, { ids, by }),
            dataLoaderOptions: { maxBatchSize: maxRecords / perKey },
            transforms,
            context,
            info,
          })
        },
      },
    },
  }
}

/** The client may give the name of the field to another one. */
function keyAlias(own: string): string {
  return `linkKey_${own}`
}

function wantedOf(
  parent: Readonly<Record<string, unknown>>,
  keys: readonly LinkKey[],
): { readonly id: string; readonly by: string } | null {
  const found = keys.flatMap(({ own, by }) => {
    const id = idOf(parent[keyAlias(own)], by)
    return id === null ? [] : [{ id, by }]
  })
  return found[0] ?? null
}

/** Null for what the platform would refuse, together with all others. */
function idOf(value: unknown, by: string): string | null {
  if (typeof value !== 'string' || value === '') return null
  if (by !== 'id') return value
  return isUuid(value) ? value.toLowerCase() : null
}

function inOrder(found: unknown, { ids, by }: { readonly ids: readonly unknown[]; readonly by: string }): unknown[] {
  const byKey = new Map((Array.isArray(found) ? found : []).map((record: unknown) => [isRecord(record) ? record[by] : null, record]))
  return ids.map((id) => byKey.get(id) ?? null)
}

/** The record's key is read under its own name. Throws BAD_USER_INPUT if the client gives this name to another field of the record. */
function refuseAlias({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>, by: string): void {
  const pending = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const spread = new Set<string>()
  // Grows while it is read.
  for (const { selections: inner } of pending) {
    for (const selection of inner) {
      if (selection.kind === Kind.INLINE_FRAGMENT) pending.push(selection.selectionSet)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const { value } = selection.name
        const fragment = spread.has(value) ? undefined : fragments[value]
        spread.add(value)
        if (fragment) pending.push(fragment.selectionSet)
      } else if (selection.alias?.value === by && selection.name.value !== by) throw aliasRefused(by, selection.name.value)
    }
  }
}

function aliasRefused(by: string, name: string): GraphQLError {
  const message = `The alias in \`${by}: ${name}\` is the name of the field by which this record is found: choose another alias`
  const { code, reason, retryable } = new AppError('INVALID_INPUT')
  return createGraphQLError(message, { extensions: { code, reason, retryable } })
}

/** `{ edges { node { key ... } } }`, the same object for all records of one field: it decides which of them are read together. */
function connectionSelection({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>, by: string): SelectionSetNode {
  const made = selections.get(by) ?? new WeakMap<readonly FieldNode[], SelectionSetNode>()
  selections.set(by, made)
  const known = made.get(fieldNodes)
  if (known) return known
  const wanted = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
  // Without an alias, which the platform ignores in records (2.21, recorded).
  const node = fieldNamed('node', { kind: Kind.SELECTION_SET, selections: [fieldNamed(by), ...wanted] })
  const edges = fieldNamed('edges', { kind: Kind.SELECTION_SET, selections: [node] })
  const selection: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [edges] }
  made.set(fieldNodes, selection)
  return selection
}
/** By the field of the record, then by the fields of the client. */
const selections = new Map<string, WeakMap<readonly FieldNode[], SelectionSetNode>>()

function fieldNamed(name: string, selectionSet?: SelectionSetNode): FieldNode {
  return { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name }, ...(selectionSet && { selectionSet }) }
}

/** Makes the connection of an answer the list of its nodes, with its errors where they belong: there they get the path of the client's field. */
function nodesOf(rootField: string): Transform {
  return {
    transformResult({ data, errors = [], ...result }: ExecutionResult): ExecutionResult {
      const connection: unknown = isRecord(data) ? data[rootField] : null
      const others = errors.filter((error) => !isPlaced(error, data))
      const edges: unknown = isRecord(connection) ? connection['edges'] : null
      const nodes = Array.isArray(edges) ? edges.map((edge: unknown) => (isRecord(edge) ? edge['node'] : null)) : null
      return { ...result, data: { [rootField]: nodes }, ...(others.length > 0 && { errors: others }) }
    },
  }
}

/** Puts an error below the root in the place of its null. */
function isPlaced({ message, extensions, path = [] }: GraphQLError, data: unknown): boolean {
  let holder = data
  for (const [depth, key] of path.entries()) {
    if (typeof holder !== 'object' || holder === null) return false
    const inner: unknown = Reflect.get(holder, key)
    if (inner === null && depth > 0) return Reflect.set(holder, key, createGraphQLError(message, { extensions }))
    holder = inner
  }
  return false
}
