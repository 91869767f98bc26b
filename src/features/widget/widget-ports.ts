import type { KeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ReplyLeases } from './chat/reply-lease.ts'
import type { LimitCounts } from './limit-counts.ts'
import type { VisitorLimits } from './visitor-limits.ts'
import type { WidgetKeys } from './widget-keys.ts'

type Outside = Pick<
  Ports,
  'configuration' | 'doctorDirectory' | 'doctorRecords' | 'leadRecords' | 'newLeads' | 'leadNotes' | 'languageModelOf'
> &
  Pick<Ports, 'store' | 'documents' | 'notifications' | 'audit' | 'clock' | 'log'>

/** What the use cases of the widget need. */
export type WidgetPorts = Outside & {
  readonly widgetKeys: WidgetKeys
  readonly visitorLimits: VisitorLimits
  readonly replyLeases: ReplyLeases
  readonly limitCounts: LimitCounts
  /** One visitor of a workspace after another, from counting a held time to checking the limits. */
  readonly holdMutex: KeyedMutex
}
