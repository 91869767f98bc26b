import type { Ports } from '../../ports/ports.ts'
import type { ReplyLeases } from './chat/reply-lease.ts'
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
}
