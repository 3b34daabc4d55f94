/** A field for the budget of a job in US dollars, as typed. Null means that there is no budget. */
export function BudgetField({ budget, onChange }: { readonly budget: string | null; readonly onChange: (budget: string | null) => void }) {
  if (budget === null)
    return (
      <button className="chip" type="button" onClick={() => onChange('')}>
        <i className="i i-coin" />
        Budget
      </button>
    )
  return (
    <span className="row budget">
      <label htmlFor="budget">
        <i className="i i-coin" /> Budget in $
      </label>
      <input
        id="budget"
        type="number"
        min="0.01"
        max="1000000000"
        step="any"
        required
        inputMode="decimal"
        autoFocus
        value={budget}
        onChange={(event) => onChange(event.target.value)}
      />
      <button className="btn plain sq" type="button" aria-label="No budget" onClick={() => onChange(null)}>
        <i className="i i-x" />
      </button>
    </span>
  )
}
