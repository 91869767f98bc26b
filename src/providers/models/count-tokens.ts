import { countTokens, type Figures } from '../../ports/figures.ts'
import type { LanguageModel } from '../../ports/language-model.ts'

/** Counts the tokens of every answer. An answer that failed does not say how many it took. */
export function countingTokens(model: LanguageModel, provider: string, figures: Pick<Figures, 'modelTokens'>): LanguageModel {
  return {
    prepare: () => model.prepare(),
    async structured(request) {
      const answer = await model.structured(request)
      countTokens(figures, provider, answer.tokens)
      return answer
    },
    async *converse(conversation) {
      for await (const part of model.converse(conversation)) {
        if (part.type === 'step-ended') countTokens(figures, provider, part.tokens)
        yield part
      }
    },
  }
}
