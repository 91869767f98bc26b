import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import { type CredentialGate, outcomeOf } from './credential-gate.ts'
import type { Identity, IssuedTokens } from '../../ports/identity.ts'
import { tokenInput } from './refresh-tokens.ts'
import { type ServedWorkspaces, workspaceToSignInTo } from './workspace.ts'

export type ExchangeLoginTokenOptions = { readonly identity: Identity; readonly gate: CredentialGate; readonly served: ServedWorkspaces }
type Asking = { readonly clientAddress: string; readonly origin: string | null; readonly signal: AbortSignal }

/** Login token to session tokens. Errors: INVALID_INPUT, WORKSPACE_NOT_SERVED, TOO_MANY_TRIES, TOKEN_REFUSED, those of the platform. */
export type ExchangeLoginToken = (input: unknown, asking: Asking) => Promise<IssuedTokens>

const inputSchema = z.strictObject({ loginToken: tokenInput, workspace: z.string().max(253).nullish() })

export function createExchangeLoginToken({ identity, gate, served }: ExchangeLoginTokenOptions): ExchangeLoginToken {
  return async (input, { clientAddress, origin, signal }) => {
    const { loginToken, workspace: named } = parseInput(inputSchema, input, 'input')
    const workspace = workspaceToSignInTo({ named, origin, field: 'input.workspace' }, served)
    const settle = await gate.enter({ account: null, address: clientAddress, signal })
    try {
      const tokens = await identity.exchange({ loginToken, workspace })
      settle('RIGHT')
      return tokens
    } catch (error) {
      settle(outcomeOf(error))
      throw error
    }
  }
}
