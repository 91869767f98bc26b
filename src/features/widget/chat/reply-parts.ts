import type { AppError } from '../../../kernel/errors.ts'
import type { Card } from './conversation.ts'

/** A part of the assistant's reply, as the visitor gets it. */
export type ReplyPart =
  | { readonly type: 'began'; readonly replyId: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-answered'; readonly id: string; readonly output: unknown; readonly card: Card | null }
  | { readonly type: 'step-ended' }
  /** The reply ends early. */
  | { readonly type: 'failed'; readonly error: AppError }
  | { readonly type: 'ended' }
