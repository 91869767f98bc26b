import type { ChatUseCases } from '../server/widget/chat-operations.ts'
import { assertOpen } from '../widget/assert-open.ts'
import { type AnswerVisitorDeps, createAnswerVisitor } from '../widget/answer-visitor.ts'
import type { Reception } from '../widget/chat/seams.ts'
import { createTalks } from '../widget/chat/talks.ts'
import { createTalkTurns } from '../widget/chat/turns.ts'
import { createPassOn } from '../widget/pass-on.ts'
import { createReadTalk } from '../widget/read-talk.ts'
import type { VisitorLead } from '../widget/visitor-lead.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'

type Desk = Pick<AnswerVisitorDeps, 'readOffer' | 'holdSlot' | 'budget' | 'limits'> & { readonly visitorLead: VisitorLead }

/** The widget's assistant. */
export function createChat({ store, clock, log }: Infrastructure, ports: Ports, { visitorLead, ...desk }: Desk): ChatUseCases {
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
