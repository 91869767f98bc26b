import type { conversationTool } from '../../../ports/conversation.ts'
import type { Log } from '../../../kernel/log.ts'
import type { HoldSlot } from '../hold-slot.ts'
import type { ReadOffer } from '../read-availability.ts'
import type { VisitorLimits } from '../visitor-limits.ts'
import type { References } from './references.ts'
import type { PassOn, Reception } from './ports.ts'
import type { Card, Talk } from './conversation.ts'

/** What the tools of one reply work with. */
export type Desk = {
  readonly workspaceId: string
  readonly clientAddress: string
  readonly talkId: string
  readonly reception: Reception
  readonly doctors: References
  readonly slots: References
  readonly now: () => number
  readonly log: Log
  readonly readOffer: ReadOffer
  readonly holdSlot: HoldSlot
  readonly limits: Pick<VisitorLimits, 'handOver'>
  readonly passOn: PassOn
  /** The talk as it stands, to be changed at once by what has an effect outside: a reply that breaks off does it once all the same. */
  readonly talk: () => Talk
  readonly change: (change: Partial<Talk>) => Promise<void>
}

/** What a tool answers the model, and what it shows the visitor. */
export type ToolAnswer = { readonly output: Readonly<Record<string, unknown>>; readonly card: Card | null }

export type ChatTool<Input> = {
  readonly description: string
  readonly input: Parameters<typeof conversationTool<Input>>[0]['input']
  readonly run: (input: Input) => Promise<ToolAnswer>
}
