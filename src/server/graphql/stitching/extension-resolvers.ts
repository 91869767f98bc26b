import { batchDelegateToSchema } from '@graphql-tools/batch-delegate'
import type { SubschemaConfig } from '@graphql-tools/delegate'
import type { IResolvers } from '@graphql-tools/utils'
import { getNamedType, type GraphQLNamedType, type GraphQLSchema, isLeafType, isObjectType, OperationTypeNode } from 'graphql'
import type { BatchSource, PlatformExtension } from './extensions.ts'

/** Whether the workspace has the type without a field of that name, and our schema has the field's type and source. */
export function canAdd(
  { typeName, fieldName, fieldType, source }: PlatformExtension,
  { platformSchema, ours }: { platformSchema: GraphQLSchema; ours: GraphQLSchema },
): boolean {
  const type = platformSchema.getType(typeName)
  const hasSource = source.rootField in (ours.getQueryType()?.getFields() ?? {})
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
