import type { LanguageModelMiddleware } from 'ai'
import type { ModelHabit } from './habits.ts'
import { closingTags } from './sdk.ts'

type Streamed = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream']
type Part = Streamed extends ReadableStream<infer StreamPart> ? StreamPart : never

type Finish = Extract<Part, { type: 'finish' }>['finishReason']['unified']

const unfinished: ReadonlySet<Finish> = new Set(['length', 'tool-calls', 'content-filter', 'error'])
const longestTag = Math.max(...closingTags.map((tag) => tag.length))

/**
 * Removes thoughts that the server has begun for the model, so that only their end is in the text. Nobody can tell them from an answer before that
 * end. So the text of a model is held back until that end, or the end of the answer, until one answer was without: then the model streams.
 * Expects that whole thoughts are removed already.
 */
export function holdBegunThoughts(habit: ModelHabit): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream()
      return { ...rest, stream: stream.pipeThrough(habit.isPlain ? watched(habit) : held(habit)) }
    },
  }
}

/** A model that was replaced behind its name is held back from its next answer on. */
function watched(habit: ModelHabit): TransformStream<Part, Part> {
  const end = new ThoughtsEnd()
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'text-delta' && end.answerIn(part.delta) !== null) habit.isPlain = false
      controller.enqueue(part)
    },
  })
}

function held(habit: ModelHabit): TransformStream<Part, Part> {
  const end = new ThoughtsEnd()
  let waiting: Part[] | null = []
  let goesOn = false
  return new TransformStream({
    transform(part, controller) {
      if (waiting && part.type === 'text-delta') {
        const answer = end.answerIn(part.delta)
        if (answer === null) {
          waiting.push(part)
          return
        }
        waiting = null
        controller.enqueue({ ...part, delta: answer })
        return
      }
      if (waiting && part.type === 'text-end') {
        waiting.push(part)
        return
      }
      goesOn ||= part.type === 'tool-call'
      if (waiting && part.type === 'finish') {
        // Without its end, an answer that was cut off, or goes on with a tool, may be thoughts. Servers have words of their own for a good end.
        const isAnswer = !goesOn && !unfinished.has(part.finishReason.unified)
        if (isAnswer && waiting.length > 0) habit.isPlain = true
        for (const one of waiting) if (isAnswer || one.type === 'text-end') controller.enqueue(one)
        waiting = null
      }
      controller.enqueue(part)
    },
  })
}

class ThoughtsEnd {
  private recent = ''

  /** What stands behind the end of thoughts, in the piece that completes it; null before. */
  answerIn(piece: string): string | null {
    this.recent = this.recent.slice(1 - longestTag) + piece
    const ends = closingTags.flatMap((tag) => {
      const index = this.recent.indexOf(tag)
      return index === -1 ? [] : [index + tag.length]
    })
    return ends.length === 0 ? null : this.recent.slice(Math.max(...ends))
  }
}
