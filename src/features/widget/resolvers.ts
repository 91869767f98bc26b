import type { Resolvers } from '../../generated.ts'
import { createWidgetKey } from './create-widget-key.ts'
import { deleteWidgetKey } from './delete-widget-key.ts'
import { rotateWidgetKey } from './rotate-widget-key.ts'
import type { WidgetPorts } from './widget-ports.ts'

export function widgetResolvers(ports: WidgetPorts): Resolvers {
  return {
    WidgetKey: { id: ({ key }) => key },
    Query: {
      widgetKeys: async (_, _arguments, context) => ports.widgetKeys.list((await context.principal()).workspaceId),
    },
    Mutation: {
      createWidgetKey: async (_, { input }, context) => createWidgetKey(ports, await context.actor(), input),
      rotateWidgetKey: async (_, { key }, context) => rotateWidgetKey(ports, await context.actor(), key),
      deleteWidgetKey: async (_, { key }, context) => deleteWidgetKey(ports, await context.actor(), key),
    },
  }
}
