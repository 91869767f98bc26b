import { z } from 'zod'
import type { LanguageModel } from '../../../ports/language-model.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AiSection } from '../../../ports/configuration/ai.ts'
import type { ConnectionTest } from '../connection-test.ts'

/** Throws NOT_CONFIGURED where no model is chosen, or its key is missing in the environment. */
export type LanguageModelOf = (section: AiSection) => LanguageModel

const answerSchema = z.object({ answer: z.enum(['READY', 'NOT_READY']) })

/** A tiny structured prompt: shows provider, key, model and that the model can fill a form. */
export function createAiConnectionTest(languageModelOf: LanguageModelOf): ConnectionTest<'ai'> {
  return async (section, { signal }) => {
    const facts = { name: 'ai.answer', tried: `Asked ${section.provider} to fill a form of one field` }
    try {
      const { model, tokens } = await languageModelOf(section).structured({
        instructions: 'You check whether you can be reached. Fill the form.',
        prompt: 'Answer READY.',
        schema: answerSchema,
        deadlineMs: 20_000,
        signal,
      })
      return [{ ...facts, ok: true, found: `${model} answered (${tokens.input} + ${tokens.output} tokens)`, advice: null }]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return [{ ...facts, ok: false, found: error.message, advice: adviceFor(error) }]
    }
  }
}

function adviceFor({ reason }: AppError): string {
  if (reason === 'NOT_CONFIGURED') return 'Choose a model that the provider offers; its key is set in the environment of the service'
  if (reason === 'PROVIDER_ANSWER_INVALID') return 'Choose a model that can give structured answers'
  return 'Try again in a minute; if it stays, choose another model'
}
