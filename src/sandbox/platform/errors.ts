/** An error as the platform reports it: a message and extensions, nearly always with HTTP 200. */
export class PlatformError extends Error {
  readonly extensions: Readonly<Record<string, unknown>>

  constructor(message: string, extensions: Readonly<Record<string, unknown>>) {
    super(message)
    this.name = 'PlatformError'
    this.extensions = extensions
  }
}

type Extra = { readonly subCode?: string; readonly friendly?: unknown; readonly [name: string]: unknown }

/** `friendly` becomes `userFriendlyMessage`, which the platform sends as a string or as an object. */
export function platformError(message: string, code: string, { friendly = 'An error occurred.', ...extra }: Extra = {}): PlatformError {
  return new PlatformError(message, { ...extra, userFriendlyMessage: friendly, code })
}

export const forbiddenException = (message: string, friendly = 'You do not have permission to perform this action.'): PlatformError =>
  platformError(message, 'FORBIDDEN', { subCode: 'FORBIDDEN_EXCEPTION', friendly })

export const userNotFound = (): PlatformError =>
  platformError('User not found', 'UNAUTHENTICATED', { subCode: 'USER_NOT_FOUND', friendly: 'User not found.' })

export const workspaceNotFound = (code: string): PlatformError =>
  platformError('Workspace not found', code, { subCode: 'WORKSPACE_NOT_FOUND', friendly: 'Workspace not found.' })

export const wrongTokenType = (message: string, friendly?: unknown): PlatformError =>
  platformError(message, 'FORBIDDEN', { subCode: 'INVALID_JWT_TOKEN_TYPE', friendly })

/** As the check of the Authorization header reports it: the friendly text comes as an object there. */
export const invalidTokenType = (message: string): PlatformError => wrongTokenType(message, { id: 'XyOToQ', message: 'An error occurred.' })

export const unauthenticated = (message: string): PlatformError =>
  platformError(message, 'UNAUTHENTICATED', {
    subCode: 'UNAUTHENTICATED',
    friendly: 'You must be authenticated to perform this action.',
  })

export const invalidRequest = (message: string, friendly = message): PlatformError =>
  platformError(message, 'BAD_USER_INPUT', { subCode: 'INVALID_INPUT', friendly })

/** No token for a guarded field, or an API key although a user is needed. */
export const forbiddenResource = (): PlatformError =>
  platformError('Forbidden resource', 'FORBIDDEN', {
    response: { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 },
  })

export const permissionDenied = (): PlatformError =>
  platformError('Entity performing the request does not have permission', 'FORBIDDEN', {
    subCode: 'PERMISSION_DENIED',
    friendly: 'User does not have permission.',
  })

export const recordNotFound = (): PlatformError =>
  platformError('Record not found', 'NOT_FOUND', {
    subCode: 'RECORD_NOT_FOUND',
    friendly: 'This record does not exist or has been deleted.',
  })

export const badArguments = (subCode: string, message: string, friendly = 'An error occurred.'): PlatformError =>
  platformError(message, 'BAD_USER_INPUT', { subCode, friendly })

/** What the real platform can do and the stand-in does not play. */
export const notInSandbox = (what: string): PlatformError => internalError(`${what} is not in the sandbox`)

/** An argument that the platform's own checks refuse, before anything is looked up. */
export const badArgument = (message: string): PlatformError => platformError(message, 'BAD_USER_INPUT')

export const internalError = (message: string): PlatformError => platformError(message, 'INTERNAL_SERVER_ERROR')

/** An error inside the platform itself, which it passes on as it is. */
export const crash = (message: string): PlatformError => new PlatformError(message, { code: 'INTERNAL_SERVER_ERROR' })

/** The database cannot store or compare the value. */
export const dataError = (): PlatformError => crash('Data validation error.')
