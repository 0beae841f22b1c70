/** A sparkline of daily counts. */
export function Bars({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length);
  return (
    <svg class="bars" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((value, index) => {
        const height = value === 0 ? 0.6 : 1 + (value / most) * 19;
        return (
          <rect
            key={index}
            class={value === 0 ? "none" : ""}
            x={index * step}
            y={20 - height}
            width={step * 0.75}
            height={height}
          />
        );
      })}
    </svg>
  );
}
