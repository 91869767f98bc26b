import { z } from 'zod'
import type { SecretBox } from '../kernel/secrets.ts'
import type { Store } from '../kernel/store.ts'

const secretsSchema = z.object({ sipPassword: z.string().nullable(), providerAgentPassword: z.string().nullable() })
/** The passwords of an agent that are ours to keep: nobody can read them on the platform. */
export type AgentSecretValues = z.output<typeof secretsSchema>

export interface AgentSecrets {
  /** Both null where none are kept. Throws STORE_UNAVAILABLE. */
  read(workspaceId: string, agentId: string): Promise<AgentSecretValues>
  /** Replaces what is kept; both null forgets it. Throws STORE_UNAVAILABLE. */
  write(workspaceId: string, agentId: string, values: AgentSecretValues): Promise<void>
}

/** Keeps the passwords of agents in the store, sealed; they stay until they are replaced or forgotten. */
export function createAgentSecrets(store: Store, box: SecretBox): AgentSecrets {
  const keyOf = (workspaceId: string, agentId: string): string => `agents:${workspaceId}:secrets:${agentId}`
  return {
    async read(workspaceId, agentId) {
      const key = keyOf(workspaceId, agentId)
      const sealed = await store.get(key)
      return sealed === null ? { sipPassword: null, providerAgentPassword: null } : secretsSchema.parse(JSON.parse(box.open(sealed, key)))
    },
    async write(workspaceId, agentId, values) {
      const key = keyOf(workspaceId, agentId)
      const isEmpty = values.sipPassword === null && values.providerAgentPassword === null
      if (isEmpty) await store.delete(key)
      else await store.set(key, box.seal(JSON.stringify(values), key))
    },
  }
}
