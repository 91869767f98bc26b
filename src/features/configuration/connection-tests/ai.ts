import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { isCreditUsedUp } from '../../../kernel/refusal.ts'
import type { AiSection } from '../../../ports/configuration/ai.ts'
import { adviceIfUntested, type Check, type ConnectionTestPorts, type ConnectionTestScope } from '../connection-test.ts'

const answerSchema = z.object({ answer: z.enum(['READY', 'NOT_READY']) })

/** Sends a tiny structured prompt. It tests provider, key and model, and that the model can give structured answers. */
export async function testAiConnection(
  { languageModelFor }: Pick<ConnectionTestPorts, 'languageModelFor'>,
  section: AiSection,
  { signal }: Pick<ConnectionTestScope, 'signal'>,
): Promise<readonly Check[]> {
  const facts = { name: 'ai.answer', tried: `Asked ${section.provider} for a structured answer with one field` }
  try {
    const { model, tokens } = await languageModelFor(section).structured({
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

function adviceFor(error: AppError): string {
  const { reason } = error
  if (isCreditUsedUp(error)) return 'Top up the account with the provider, or raise its limit'
  if (reason === 'NOT_CONFIGURED')
    return 'Check the key, which is set in the environment of the service, and choose a model that the provider offers'
  if (reason === 'PROVIDER_ANSWER_INVALID') return 'Choose a model that can give structured answers'
  return adviceIfUntested(error, 'the provider of the model') ?? 'Choose another model; the log has the code of the provider'
}
