import { AppError } from '../kernel/errors.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../server/graphql/generated.ts'
import type { WidgetUseCases } from '../server/widget/operations.ts'
import { createCreateWidgetKey } from '../widget/create-widget-key.ts'
import { createDeleteWidgetKey } from '../widget/delete-widget-key.ts'
import { createReadAppearance } from '../widget/read-appearance.ts'
import { createWidgetResolvers } from '../widget/resolvers.ts'
import { createRotateWidgetKey } from '../widget/rotate-widget-key.ts'
import { createVisitorLimits, type VisitorLimits } from '../widget/visitor-limits.ts'
import { createWidgetKeys, type WidgetKeys } from '../widget/widget-keys.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'

/** The public widget: its keys, for managers, and what visitors may do. Disposing stops listening to news of keys. */
export type Widget = Disposable & {
  readonly resolvers: Resolvers
  readonly keys: WidgetKeys
  readonly limits: VisitorLimits
  readonly useCases: WidgetUseCases
}

export function createWidget(infrastructure: Infrastructure, ports: Ports): Widget {
  const { audit, clock } = infrastructure
  const { configuration, languageModelOf } = ports
  const keys = createWidgetKeys(infrastructure)
  return {
    keys,
    limits: createVisitorLimits(createLimiters(infrastructure)),
    resolvers: createWidgetResolvers({
      keys,
      createKey: createCreateWidgetKey({ keys, configuration, audit, clock }),
      rotateKey: createRotateWidgetKey({ keys, configuration, audit, clock }),
      deleteKey: createDeleteWidgetKey({ keys, audit }),
    }),
    useCases: {
      readAppearance: createReadAppearance({ configuration, hasModel: (workspaceId) => isConfigured(languageModelOf(workspaceId)) }),
    },
    [Symbol.dispose]: () => keys[Symbol.dispose](),
  }
}

async function isConfigured(model: Promise<unknown>): Promise<boolean> {
  try {
    await model
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return false
    throw error
  }
}
