import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { RecordRights } from '../../ports/record-rights.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { platformErrorOf } from './failure.ts'

const anything = z.record(z.string(), z.unknown())

/**
 * What a token may do, found by trying: a page of one record, and the update of a record that does not exist. The platform checks the right
 * before it looks for the record (recorded on 2.21: `role.limited.update-missing`), so nothing changes.
 */
export function createRecordRights(endpoint: PlatformEndpoint): RecordRights {
  const isAllowed = async (accessToken: string, document: string, variables: Record<string, unknown> = {}): Promise<boolean> => {
    try {
      await endpoint.request({ endpoint: 'records', document, variables, accessToken, answer: anything })
      return true
    } catch (error) {
      if (error instanceof AppError && error.reason === 'PLATFORM_REFUSED') return false
      throw error
    }
  }
  return {
    mayRead: (accessToken, { plural }) => isAllowed(accessToken, `query MayRead { ${plural}(first: 1) { edges { node { id } } } }`),
    async mayChange(accessToken, { singular }) {
      const type = singular.charAt(0).toUpperCase() + singular.slice(1)
      const document = `mutation MayChange($id: UUID!, $data: ${type}UpdateInput!) { update${type}(id: $id, data: $data) { id } }`
      try {
        return await isAllowed(accessToken, document, { id: newId(), data: {} })
      } catch (error) {
        if (comesAfterTheRight(error)) return true
        throw error
      }
    },
  }
}

/** "Record not found" in the words of each version; an operation that the platform does not understand says nothing. */
function comesAfterTheRight(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return error.reason === 'NOT_FOUND' || (error.reason === 'PROVIDER_REFUSED' && platformErrorOf(error)?.facts.kind === 'OTHER')
}
