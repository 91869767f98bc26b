import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { type Agreement, agreementDocument, type ScorecardRange } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'

/** How often managers and the model came to the same verdict. */
export function AgreementFigures({ range }: { readonly range: ScorecardRange }) {
  const [{ data, error }, read] = useQuery({ query: agreementDocument, variables: range })
  const agreement = data?.scorecardAgreement
  if (error) {
    return (
      <Card isFlush>
        <ErrorState error={error} onRetry={() => read({ requestPolicy: 'network-only' })} />
      </Card>
    )
  }
  if (!agreement) {
    return (
      <Card>
        <Skeleton rows={2} />
      </Card>
    )
  }
  return <Figures agreement={agreement} />
}

function Figures({ agreement: { total, criteria, complete } }: { readonly agreement: Agreement }) {
  const texts = useScorecardTexts()
  const { number, percent } = useFormats()
  if (total.reviewed + total.withoutModel === 0) {
    return (
      <Card isFlush>
        <EmptyState icon={<Scale />} title={texts.noReviews}>
          <p>{texts.noReviewsText}</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      {!complete && <Notice tone="warn" title={texts.incomplete} />}
      <dl className="rec-figures numbers">
        <Figure
          title={texts.agreement}
          value={total.agreement === null ? '–' : percent(total.agreement)}
          hint={texts.agreementHint(total.reviewed)}
        />
        <Figure title={texts.overlooked} value={number(total.overlooked)} hint={texts.overlookedHint} />
        <Figure title={texts.falseAlarms} value={number(total.falseAlarms)} hint={texts.falseAlarmsHint} />
        <Figure title={texts.withoutModel} value={number(total.withoutModel)} hint={texts.withoutModelHint} />
      </dl>
      <Section title={texts.byCriterion}>
        <ByCriterion criteria={criteria} />
      </Section>
    </>
  )
}

function Figure({ title, value, hint }: { readonly title: string; readonly value: string; readonly hint: string }) {
  return (
    <div className="rec-figure">
      <dt>{title}</dt>
      <dd>{value}</dd>
      <dd>{hint}</dd>
    </div>
  )
}

function ByCriterion({ criteria }: Pick<Agreement, 'criteria'>) {
  const texts = useScorecardTexts()
  const { number, percent } = useFormats()
  const columns = useMemo((): readonly Column<Agreement['criteria'][number]>[] => {
    return [
      { id: 'name', title: texts.criterion, cell: ({ name }) => name, sortBy: ({ name }) => name },
      {
        id: 'agreement',
        title: texts.agreement,
        cell: ({ counts: { agreement } }) => (agreement === null ? '–' : percent(agreement)),
        sortBy: ({ counts }) => counts.agreement ?? -1,
        isNumber: true,
      },
      { id: 'reviewed', title: texts.reviewed, cell: ({ counts }) => number(counts.reviewed), isNumber: true },
      { id: 'overlooked', title: texts.overlooked, cell: ({ counts }) => number(counts.overlooked), isNumber: true },
      { id: 'falseAlarms', title: texts.falseAlarms, cell: ({ counts }) => number(counts.falseAlarms), isNumber: true },
    ]
  }, [texts, number, percent])
  return (
    <Card isFlush>
      <Table label={texts.byCriterion} columns={columns} rows={criteria} rowKey={({ key }) => key} />
    </Card>
  )
}
