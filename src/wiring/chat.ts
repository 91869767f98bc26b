import type { ChatUseCases } from '../server/widget/chat-operations.ts'
import { assertOpen } from '../features/widget/assert-open.ts'
import { type AnswerVisitorDeps, createAnswerVisitor } from '../features/widget/answer-visitor.ts'
import type { Reception } from '../features/widget/chat/ports.ts'
import { createTalks } from '../features/widget/chat/conversations.ts'
import { createTalkTurns } from '../features/widget/chat/reply-lease.ts'
import { createPassOn } from '../features/widget/hand-off.ts'
import { createReadTalk } from '../features/widget/read-conversation.ts'
import type { VisitorLead } from '../features/widget/visitor-lead.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

type Desk = Pick<AnswerVisitorDeps, 'readOffer' | 'holdSlot' | 'budget' | 'limits'> & { readonly visitorLead: VisitorLead }

/** The widget's assistant. */
export function createChat({ store, clock, log }: Infrastructure, ports: WiredPorts, { visitorLead, ...desk }: Desk): ChatUseCases {
  const { configuration, languageModelOf, records } = ports
  const talks = createTalks(store)
  const receptionOf = async (workspaceId: string): Promise<Reception> => {
    await assertOpen(configuration, workspaceId, 'WIDGET')
    const [theme, { visits }, telephony, widget] = await Promise.all([
      configuration.read(workspaceId, 'theme'),
      configuration.read(workspaceId, 'platform'),
      configuration.read(workspaceId, 'telephony'),
      configuration.read(workspaceId, 'widget'),
    ])
    const { bookingEnabled } = widget
    const { hospitalName } = theme.brand
    return { hospitalName, timeZone: visits.timeZone, country: telephony.defaultCountry, bookingEnabled }
  }
  const passOn = createPassOn({ visitorLead, leadNotes: records.leadNotes, log })
  return {
    answerVisitor: createAnswerVisitor({
      ...desk,
      talks,
      turns: createTalkTurns(store),
      languageModelOf,
      receptionOf,
      passOn,
      clock,
      log,
    }),
    readTalk: createReadTalk(talks),
  }
}
