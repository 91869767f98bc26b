import type { AppError } from '../../src/kernel/errors.ts'
import { appErrorOf } from '../../src/providers/platform/errors.ts'
import type { PlatformEndpoint } from '../../src/providers/platform/endpoint.ts'

/** The error with which the platform answers so. */
export function platformRefusal(
  message: string,
  { code = null, subCode = null }: { code?: string | null; subCode?: string | null } = {},
): AppError {
  return appErrorOf({ message, extensions: { code, subCode, conflictingRecordId: null } })
}

/** Stands before a platform: `sent` has the documents, and the next request of a document that matches an entry of `failures` fails with it. */
export function createFailingPlatform() {
  const sent: string[] = []
  const failures: { readonly document: RegExp; readonly error: AppError }[] = []
  const before = (platform: PlatformEndpoint): PlatformEndpoint => ({
    ...platform,
    async request(request) {
      sent.push(request.document)
      const index = failures.findIndex(({ document }) => document.test(request.document))
      const [failure] = index < 0 ? [] : failures.splice(index, 1)
      if (failure) throw failure.error
      return platform.request(request)
    },
  })
  return { sent, before, fail: (document: RegExp, error: AppError) => void failures.push({ document, error }) }
}
