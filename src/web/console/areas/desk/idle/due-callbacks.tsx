import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../../data/graphql.ts'
import { useLeadNames } from '../../../session/leads.ts'
import { usePolling } from '../../../data/polling.ts'
import { useMember } from '../../../session/session.ts'
import { Notice } from '../../../ui/notice.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { isOf, worklistFields } from '../worklist/worklist.ts'
import { useIdleTexts } from './texts.ts'

const dueCallbacksDocument = graphql(
  `
    query DueCallbacks {
      worklist(first: 200) {
        nodes {
          ...WorklistFields
        }
      }
    }
  `,
  [worklistFields],
)

/** A minute late is early enough for a callback. */
const askEveryMs = 60_000

/** The agent's own callbacks that are due: nothing else says so on this page. */
export function DueCallbacks() {
  const texts = useIdleTexts()
  const { agent } = useMember()
  const [{ data }, read] = useQuery({ query: dueCallbacksDocument, requestPolicy: 'network-only' })
  const [last, setLast] = useState(data)
  // One failed request hides nothing.
  if (data && data !== last) setLast(data)
  usePolling(() => read({ requestPolicy: 'network-only' }), askEveryMs)
  const due = last?.worklist.nodes.filter((entry) => isOf(agent?.id, entry, Date.now())) ?? []
  const nameOf = useLeadNames(due.map(({ leadId }) => leadId))
  const [first] = due
  return (
    <div role="status">
      {first && (
        <Notice
          tone="warn"
          title={texts.due(nameOf(first.leadId) ?? spacedNumber(first.phoneNumber), due.length - 1)}
          actions={<Link to="/desk/callbacks">{texts.openCallbacks}</Link>}
        />
      )}
    </div>
  )
}
