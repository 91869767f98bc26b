import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { HttpContext } from '../http/http-context.ts'
import { createRequestContext, type ResolvePrincipal } from '../http/request-context.ts'

export type StreamLimit = {
  /** Counts an event stream until its response is over. Throws TOO_MANY_STREAMS if its member has too many in this process. */
  admit(ctx: HttpContext): Promise<void>
}

/** What is counted, for the message, and how many of it one member may have. */
type Counted = { readonly what: string; readonly most: number }
/** Enough for ten tabs and devices with every subscription that a screen has, twice: after a lost network those of before count until their pings fail. */
const eventStreams: Counted = { what: 'event streams', most: 100 }
/** Each may have many streams. Ten tabs, twice. */
export const webSockets: Counted = { what: 'web sockets', most: 20 }

export function createStreamLimit(resolvePrincipal: ResolvePrincipal, { what, most }: Counted = eventStreams): StreamLimit {
  const open = new Map<string, number>()
  const leave = (owner: string): void => {
    const left = (open.get(owner) ?? 1) - 1
    if (left > 0) open.set(owner, left)
    else open.delete(owner)
  }
  return {
    async admit(ctx) {
      const context = createRequestContext(ctx, resolvePrincipal)
      const owner = await ownerOf(ctx, context)
      const count = open.get(owner) ?? 0
      if (count >= most) throw new AppError('TOO_MANY_STREAMS', { detail: tooMany({ what, most }), data: { limit: most } })
      open.set(owner, count + 1)
      context.afterAnswer(() => leave(owner))
    },
  }
}

function ownerOf({ isAuthenticated, requester, clientAddress }: HttpContext, context: RequestContext): Promise<string> {
  const own = hashOf(context.accessToken ?? clientAddress)
  // A confirmed API key, which has no member.
  if (isAuthenticated && !requester) return Promise.resolve(own)
  return context.principal().then(
    ({ workspaceId, memberId }) => `${workspaceId} ${memberId}`,
    // An API key, or a token that is refused when the subscription is answered.
    () => own,
  )
}

function tooMany({ what, most }: Counted): string {
  return `You have ${most} ${what} open, the most for one member: close one (a tab, an unused subscription), then subscribe again`
}
