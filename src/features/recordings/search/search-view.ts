import { type Connection, withNodes } from '../../../kernel/connection.ts'
import { utteranceId } from '../analysis-fields.ts'
import type { TranscriptMatch } from './search-transcripts.ts'

/** Matches as clients see them: with ids of utterances that are unique in the workspace. */
export function searchView(found: Connection<TranscriptMatch>): Connection<TranscriptMatch> {
  return withNodes(
    found,
    found.nodes.map((match) => ({
      ...match,
      snippets: match.snippets.map((snippet) => ({ ...snippet, id: utteranceId(match.callId, snippet.id) })),
    })),
  )
}
