import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { useListTexts } from './texts.ts'

/** After the last key, before the service is asked. */
const pauseMs = 350

export function SearchField({ value, onSearch }: { readonly value: string; readonly onSearch: (text: string) => void }) {
  const texts = useListTexts()
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onSearch(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <AriaSearchField
      className="rec-search"
      aria-label={texts.search}
      value={typed}
      onChange={setTyped}
      onSubmit={(text) => onSearch(text.trim())}
      onClear={() => onSearch('')}
      maxLength={300}
    >
      <Search aria-hidden="true" />
      <Input className="ui-input" placeholder={texts.searchHint} />
      {typed !== '' && (
        <Button className="rec-search-clear" aria-label={texts.clear}>
          <X aria-hidden="true" />
        </Button>
      )}
    </AriaSearchField>
  )
}
