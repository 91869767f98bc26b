import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { readJson } from '../http/json-body.ts'
import type { Handler } from '../http/http-context.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'

/** The sandbox: a customer calls the agent, by the agent's ID at the provider. False: the agent takes no calls now, or has no phone open. */
export type RingAgent = (workspace: string, providerAgentId: string) => boolean

const bodySchema = z.strictObject({ workspace: z.string().max(100), providerAgentId: z.string().max(100) })

/** `POST /console/demo/ring`: nothing leaves the machine, so that it needs no token. Only the sandbox has it. */
export function createDemoCallHandlers(ring: RingAgent): Readonly<Record<string, Handler>> {
  const handle = onlyMethods(['POST'], async (ctx) => {
    const { workspace, providerAgentId } = parseInput(bodySchema, await readJson(ctx), 'body')
    if (!ring(workspace, providerAgentId))
      throw new AppError('WRONG_STATE', { detail: 'The agent takes no calls now, or no phone of theirs is open' })
    ctx.response.writeHead(204).end()
  })
  return { '/console/demo/ring': problemHandler(handle) }
}
