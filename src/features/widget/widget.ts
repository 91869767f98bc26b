import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import { createReplyLeases } from './chat/reply-lease.ts'
import { createLimitCounts } from './limit-counts.ts'
import { createVisitorLimits, type LimiterOf } from './visitor-limits.ts'
import { createWidgetKeys } from './widget-keys.ts'
import type { WidgetPorts } from './widget-ports.ts'

type OwnState = Pick<WidgetPorts, 'widgetKeys' | 'visitorLimits' | 'replyLeases' | 'limitCounts' | 'holdMutex'>

/** The ports with this process's state. Disposing unsubscribes from key changes. */
export function createWidget(ports: Omit<WidgetPorts, keyof OwnState>, limiterOf: LimiterOf): WidgetPorts & Disposable {
  const widgetKeys = createWidgetKeys(ports)
  return {
    ...ports,
    widgetKeys,
    visitorLimits: createVisitorLimits(limiterOf),
    replyLeases: createReplyLeases(ports),
    limitCounts: createLimitCounts(),
    holdMutex: createKeyedMutex(),
    [Symbol.dispose]: () => widgetKeys[Symbol.dispose](),
  }
}
