import { z } from 'zod'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'

const secretsSchema = z.object({ sipPassword: z.string().nullable(), providerAgentPassword: z.string().nullable() })
/** The passwords of an agent that are ours to keep: nobody can read them on the platform. */
export type AgentSecretValues = z.output<typeof secretsSchema>

/** Where each of them is sent, as short texts that differ where the places do. */
export type SecretDestinations = { readonly sip: string; readonly provider: string }
const keptSchema = secretsSchema.extend({ sentTo: z.object({ sip: z.string(), provider: z.string() }) })

export interface AgentSecrets {
  /**
   * Both null where none are kept. A password is given out only while it would be sent where it was meant for: who moves the provider's
   * address or the SIP server has it given anew. Throws STORE_UNAVAILABLE.
   */
  read(workspaceId: string, agentId: string): Promise<AgentSecretValues>
  /** Replaces what is kept, for where it would be sent now; both null forgets it. Throws STORE_UNAVAILABLE. */
  write(workspaceId: string, agentId: string, values: AgentSecretValues): Promise<void>
}

export type AgentSecretsOptions = {
  readonly store: Store
  readonly box: SecretBox
  readonly destinationsOf: (workspaceId: string) => Promise<SecretDestinations>
}

/** Keeps the passwords of agents in the store, sealed; they stay until they are replaced or forgotten. */
export function createAgentSecrets({ store, box, destinationsOf }: AgentSecretsOptions): AgentSecrets {
  const keyOf = (workspaceId: string, agentId: string): string => `agents:${workspaceId}:secrets:${agentId}`
  return {
    async read(workspaceId, agentId) {
      const key = keyOf(workspaceId, agentId)
      const sealed = await store.get(key)
      if (sealed === null) return { sipPassword: null, providerAgentPassword: null }
      const { sentTo, ...kept } = keptSchema.parse(JSON.parse(box.open(sealed, key)))
      const now = await destinationsOf(workspaceId)
      return {
        sipPassword: now.sip === sentTo.sip ? kept.sipPassword : null,
        providerAgentPassword: now.provider === sentTo.provider ? kept.providerAgentPassword : null,
      }
    },
    async write(workspaceId, agentId, values) {
      const key = keyOf(workspaceId, agentId)
      const isEmpty = values.sipPassword === null && values.providerAgentPassword === null
      if (isEmpty) await store.delete(key)
      else await store.set(key, box.seal(JSON.stringify({ ...values, sentTo: await destinationsOf(workspaceId) }), key))
    },
  }
}
