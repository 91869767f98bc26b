import { batchDelegateToSchema } from '@graphql-tools/batch-delegate'
import type { SubschemaConfig } from '@graphql-tools/delegate'
import type { IResolvers } from '@graphql-tools/utils'
import { getNamedType, type GraphQLNamedType, type GraphQLSchema, isEnumType, isLeafType, isObjectType, OperationTypeNode } from 'graphql'
import type { BatchSource, FieldsSource, PlatformExtension } from './extensions.ts'

/** Whether the workspace has the type without a field of that name, and our schema has the field's type and source. */
export function canAdd(
  { typeName, fieldName, fieldType, source }: PlatformExtension,
  { platformSchema, ours }: { platformSchema: GraphQLSchema; ours: GraphQLSchema },
): boolean {
  const type = platformSchema.getType(typeName)
  const hasSource = source.from === 'fields' || source.rootField in (ours.getQueryType()?.getFields() ?? {})
  return isObjectType(type) && !(fieldName in type.getFields()) && ours.getType(fieldType) !== undefined && hasSource
}

export function extensionSdl({ typeName, fieldName, description }: PlatformExtension, fieldType: string): string {
  return `extend type ${typeName} {\n  ${JSON.stringify(description)}\n  ${fieldName}: ${fieldType}\n}`
}

type Schemas = {
  readonly platformSchema: GraphQLSchema
  readonly localSubschema: SubschemaConfig
  readonly ours: GraphQLSchema
}

/** The resolver of the field in the stitched schema. */
export function extensionResolver(extension: PlatformExtension, { platformSchema, localSubschema, ours }: Schemas): IResolvers {
  const { typeName, fieldName, source } = extension
  if (source.from === 'batch') {
    const returnType = ours.getQueryType()?.getFields()[source.rootField]?.type
    const sent = fieldsIn(source, platformSchema.getType(typeName))
    return {
      [typeName]: {
        [fieldName]: {
          selectionSet: `{ ${['id', ...sent.map(([, theirs]) => theirs)].join(' ')} }`,
          // oxlint-disable-next-line max-params -- the signature is graphql's
          resolve: (parent: Readonly<Record<string, unknown>>, _args: unknown, context: object, info): unknown =>
            batchDelegateToSchema({
              schema: localSubschema,
              operation: OperationTypeNode.QUERY,
              fieldName: source.rootField,
              key: keyOf(parent, source, sent),
              argsFromKeys: (keys) => ({ [source.argument]: keys }),
              ...(returnType && { returnType }),
              context,
              info,
            }),
        },
      },
    }
  }
  const reading = fieldsReading(source, { theirs: platformSchema.getType(typeName), ours: ours.getType(extension.fieldType) })
  return {
    [typeName]: {
      [fieldName]: {
        ...(reading && { selectionSet: `{ ${reading.map(({ theirs }) => theirs).join(' ')} }` }),
        resolve: (parent: Readonly<Record<string, unknown>>) => (reading ? fromFields(parent, reading) : null),
      },
    },
  }
}

/** The fields that are sent with the id: our name and the workspace's name, if the workspace has the field. */
function fieldsIn({ fields = {} }: BatchSource, type: GraphQLNamedType | undefined): readonly (readonly [string, string])[] {
  const present = isObjectType(type) ? type.getFields() : {}
  return Object.entries(fields).filter(([, theirs]) => theirs in present && isLeafType(getNamedType(present[theirs]?.type)))
}

// oxlint-disable-next-line max-params -- a key is made of a record and of what its source needs
function keyOf(parent: Readonly<Record<string, unknown>>, source: BatchSource, sent: readonly (readonly [string, string])[]): unknown {
  if (!source.fields) return parent['id']
  return { id: parent['id'], ...Object.fromEntries(sent.map(([ours, theirs]) => [ours, parent[theirs]])) }
}

/** A field of ours and the workspace's field from which it is read. */
type FieldReading = { readonly name: string; readonly theirs: string; readonly options: ReadonlySet<string> | null }
type Types = { readonly theirs: GraphQLNamedType | undefined; readonly ours: GraphQLNamedType | undefined }

/** The fields that this workspace has; null if the first one is missing. */
function fieldsReading(source: FieldsSource, { theirs, ours }: Types): readonly FieldReading[] | null {
  const theirFields = isObjectType(theirs) ? theirs.getFields() : {}
  const ourFields = isObjectType(ours) ? ours.getFields() : {}
  const readings = Object.entries(source.fields).map(([name, field]): FieldReading => {
    const type = getNamedType(ourFields[name]?.type)
    return { name, theirs: field, options: isEnumType(type) ? new Set(type.getValues().map((value) => value.name)) : null }
  })
  const [first] = readings
  return first && first.theirs in theirFields ? readings.filter((reading) => reading.theirs in theirFields) : null
}

function fromFields(parent: Readonly<Record<string, unknown>>, reading: readonly FieldReading[]): Record<string, unknown> | null {
  const [first] = reading
  const main = first === undefined ? null : parent[first.theirs]
  if (main === null || main === undefined || main === '') return null
  return Object.fromEntries(
    reading.map(({ name, theirs, options }) => [name, options ? enumName(parent[theirs], options) : parent[theirs]]),
  )
}

/** The platform stores an enum's value as text or as an option of its own. Null if it is not a value of our enum. */
function enumName(value: unknown, options: ReadonlySet<string>): string | null {
  const name =
    typeof value === 'string'
      ? value
          .trim()
          .toUpperCase()
          .replaceAll(/[\s-]+/g, '_')
      : ''
  return options.has(name) ? name : null
}
