import { z } from 'zod'
import type { RequestContext } from '../../access/request-context.ts'
import { parseInput } from '../../kernel/input.ts'
import { type IssuedTokens, tokenTexts } from '../../ports/identity.ts'
import type { AuthPorts } from './auth-ports.ts'
import { outcomeOf } from './credential-gate.ts'
import { tokenInput } from '../../access/token-claims.ts'
import { workspaceToSignInTo } from './workspace.ts'

const inputSchema = z.strictObject({ loginToken: tokenInput, workspace: z.string().nullish() })

/**
 * Exchanges a login token for session tokens. Errors: INVALID_INPUT, WORKSPACE_NOT_SERVED, TOO_MANY_TRIES, TOKEN_REFUSED, those of the
 * platform.
 */
export async function exchangeLoginToken(
  { identity, credentialGate, servedWorkspaces, signIns }: Pick<AuthPorts, 'identity' | 'credentialGate' | 'servedWorkspaces' | 'signIns'>,
  { clientAddress, origin, signal, pausing }: Pick<RequestContext, 'clientAddress' | 'origin' | 'signal' | 'pausing'>,
  input: unknown,
): Promise<IssuedTokens> {
  const { loginToken, workspace: named } = parseInput(inputSchema, input, 'input')
  const workspace = workspaceToSignInTo({ named, origin, field: 'input.workspace' }, servedWorkspaces)
  const settle = await credentialGate.enter({ account: null, address: clientAddress, signal, pausing })
  try {
    const tokens = await identity.exchange({ loginToken, workspace })
    settle('RIGHT')
    await signIns.begin(tokenTexts(tokens)).note()
    return tokens
  } catch (error) {
    settle(outcomeOf(error))
    throw error
  }
}
