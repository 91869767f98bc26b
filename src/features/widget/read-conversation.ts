import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { TalkMessage } from './chat/conversation.ts'
import type { Talks } from './chat/conversations.ts'

export type ReadTalk = (place: {
  readonly workspaceId: string
  readonly widgetKey: string
  readonly talkId: string
}) => Promise<readonly TalkMessage[]>

const talkIdSchema = z.object({ id: z.uuid('must be a UUID').toLowerCase() })

/**
 * What was said, for a page that was loaded anew; nothing where there is no such talk. A last reply that broke off is left out: the page
 * asks for it again. Errors: INVALID_INPUT, STORE_UNAVAILABLE.
 */
export function createReadTalk(talks: Talks): ReadTalk {
  return async (place) => {
    const { id: talkId } = parseInput(talkIdSchema, { id: place.talkId })
    const { messages } = await talks.read({ ...place, talkId })
    const last = messages.at(-1)
    return last?.role === 'assistant' && !last.complete ? messages.slice(0, -1) : messages
  }
}
