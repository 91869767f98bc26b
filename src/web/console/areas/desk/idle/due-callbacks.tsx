import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../../data/graphql.ts'
import { useLeadNames } from '../../../data/leads.ts'
import { useMember } from '../../../session/session.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useNow } from '../../../ui/now.ts'
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

/** A stream for each agent who waits would cost the service more than a minute's delay costs the caller. */
const askEveryMs = 60_000

/** The agent's own callbacks that are due: nothing else says so on this page. */
export function DueCallbacks() {
  const texts = useIdleTexts()
  const { agent } = useMember()
  const now = useNow(askEveryMs)
  const [{ data }, read] = useQuery({ query: dueCallbacksDocument, requestPolicy: 'network-only' })
  useEffect(() => read({ requestPolicy: 'network-only' }), [now, read])
  const due = data?.worklist.nodes.filter((entry) => isOf(agent?.id, entry, now)) ?? []
  const nameOf = useLeadNames(due.map(({ leadId }) => leadId))
  const [first] = due
  if (!first) return null
  const person = nameOf(first.leadId) ?? spacedNumber(first.phoneNumber)
  return (
    <Notice
      tone="warn"
      role="status"
      title={texts.due(person, due.length - 1)}
      actions={<Link to="/desk/callbacks">{texts.openCallbacks}</Link>}
    />
  )
}
