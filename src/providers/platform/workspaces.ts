import { z } from 'zod'
import type { Workspaces } from '../../ports/workspaces.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { platformErrorOf } from './failure.ts'

const byDomainDocument = 'query WorkspaceByDomain($origin: String!) { workspace: getPublicWorkspaceDataByDomain(origin: $origin) { id } }'
const ownDocument = 'query OwnWorkspace { workspace: currentWorkspace { id } }'
const answer = z.object({ workspace: z.object({ id: z.string() }) }).transform(({ workspace }) => workspace.id)

/**
 * Subdomains come from the settings, and an id does not change, so the ids are cached without a bound. A subdomain that the platform does not
 * know yet is asked for again. Errors of both methods: PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, OVERLOADED, DEADLINE_PASSED (10 s). Both may be repeated.
 */
export function createPlatformWorkspaces({
  endpoint,
  originOf,
}: {
  readonly endpoint: PlatformEndpoint
  /** The full address of a workspace's frontend: it names the workspace, by subdomain. */
  readonly originOf: (subdomain: string) => string
}): Workspaces {
  const ids = new Map<string, string>()
  return {
    async idOf(subdomain) {
      const known = ids.get(subdomain)
      if (known !== undefined) return known
      const variables = { origin: originOf(subdomain) }
      const asked = endpoint.request({ endpoint: 'metadata', document: byDomainDocument, variables, accessToken: null, answer })
      const id = await nullWhere(asked, (error) => platformErrorOf(error)?.facts.subCode === 'WORKSPACE_NOT_FOUND')
      if (id !== null) ids.set(subdomain, id)
      return id
    },
    ownerOfApiKey: (apiKey) => {
      const asked = endpoint.request({ endpoint: 'metadata', document: ownDocument, accessToken: apiKey, answer })
      return nullWhere(asked, isRefusal)
    },
  }
}

async function nullWhere(asked: Promise<string>, isNull: (error: unknown) => boolean): Promise<string | null> {
  try {
    return await asked
  } catch (error) {
    if (isNull(error)) return null
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'TOKEN_REFUSED' || error.reason === 'PLATFORM_REFUSED')
}
