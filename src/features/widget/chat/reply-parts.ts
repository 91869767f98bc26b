import type { AppError } from '../../../kernel/errors.ts'
import type { Card } from './conversation.ts'

/** A piece of the assistant's reply, as it goes to the visitor. */
export type ReplyPart =
  | { readonly type: 'began'; readonly replyId: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-answered'; readonly id: string; readonly output: unknown; readonly card: Card | null }
  | { readonly type: 'step-ended' }
  /** The reply breaks off here. */
  | { readonly type: 'failed'; readonly error: AppError }
  | { readonly type: 'ended' }
