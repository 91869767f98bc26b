import { hashOf } from '../../../kernel/ids.ts'
import type { Store } from '../../../ports/store.ts'
import { emptyTalk, type Talk, talkSchema } from './conversation.ts'

/** Whose talk it is: one made with another key or in another workspace is another talk. */
export type TalkPlace = { readonly workspaceId: string; readonly widgetKey: string; readonly talkId: string }

/** Visitors' talks, each kept for a day after it was last changed. Errors: STORE_UNAVAILABLE. */
export interface Talks {
  read(place: TalkPlace): Promise<Talk>
  /** Reads it to change it. */
  open(place: TalkPlace): Promise<OpenTalk>
}

export type OpenTalk = {
  readonly talk: Talk
  /** False where somebody else has changed it since it was opened or saved last; then nothing is saved, nor ever again by this one. */
  save(talk: Talk): Promise<boolean>
}

const dayMs = 86_400_000

export function createTalks(store: Store): Talks {
  return {
    read: async (place) => parse(await store.get(talkKey(place))),
    async open(place) {
      const key = talkKey(place)
      let standing = await store.get(key)
      const replace = (value: string): Promise<boolean> =>
        standing === null
          ? store.setIfAbsent(key, value, { ttlMs: dayMs })
          : store.compareAndSet(key, { expected: standing, value, ttlMs: dayMs })
      return {
        talk: parse(standing),
        async save(talk) {
          const value = JSON.stringify(talk)
          const isSaved = await replace(value)
          if (isSaved) standing = value
          return isSaved
        },
      }
    },
  }
}

/** Of a talk's place, for keys of the store. */
export function placeKey({ workspaceId, widgetKey, talkId }: TalkPlace): string {
  return `${workspaceId}:${hashOf(widgetKey)}:${talkId}`
}

function talkKey(place: TalkPlace): string {
  return `widget-talk:${placeKey(place)}`
}

function parse(text: string | null): Talk {
  return text === null ? emptyTalk : talkSchema.parse(JSON.parse(text))
}
