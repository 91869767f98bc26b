import type { Resolvers } from '../../generated.ts'
import type { CreateWidgetKey } from './create-widget-key.ts'
import type { DeleteWidgetKey } from './delete-widget-key.ts'
import type { RotateWidgetKey } from './rotate-widget-key.ts'
import type { WidgetKeys } from './widget-keys.ts'

export type WidgetKeyUseCases = {
  readonly keys: Pick<WidgetKeys, 'list'>
  readonly createKey: CreateWidgetKey
  readonly rotateKey: RotateWidgetKey
  readonly deleteKey: DeleteWidgetKey
}

export function createWidgetResolvers({ keys, createKey, rotateKey, deleteKey }: WidgetKeyUseCases): Resolvers {
  return {
    Query: {
      widgetKeys: async (_, _arguments, context) => keys.list((await context.principal()).workspaceId),
    },
    Mutation: {
      createWidgetKey: async (_, { input }, context) => createKey(await context.actor(), input),
      rotateWidgetKey: async (_, { key }, context) => rotateKey(await context.actor(), key),
      deleteWidgetKey: async (_, { key }, context) => deleteKey(await context.actor(), key),
    },
  }
}
