"use strict";
// A click on the name of a column sorts the rows; a second click reverses the order.
function sorting(cell) {
  const text = cell.textContent.trim();
  const number = parseFloat(text.replace(/^[<#\s]+/, "").replaceAll("−", "-").replaceAll(",", ""));
  return { text, number };
}

function sortRows(table, place, isDescending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, ...sorting(row.cells[place]) }));
  const areNumbers = rows.some((one) => !Number.isNaN(one.number)) &&
    rows.every((one) => one.text === "" || !Number.isNaN(one.number) || !/\d/.test(one.text));
  rows.sort((a, b) => {
    // Cells without a value come last in both orders.
    if (areNumbers && (Number.isNaN(a.number) || Number.isNaN(b.number))) {
      return Number.isNaN(a.number) - Number.isNaN(b.number);
    }
    const order = areNumbers ? a.number - b.number : a.text.localeCompare(b.text, "en", { numeric: true });
    return isDescending ? -order : order;
  });
  for (const { row } of rows) body.append(row);
}

for (const table of document.querySelectorAll("table")) {
  // Indented rows belong to the row above them.
  if (!table.tHead || table.tBodies[0].rows.length < 3 || table.querySelector(".within")) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const isDescending = before ? before === "ascending" : head.classList.contains("n");
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      table.classList.add("sorted");
      sortRows(table, place, isDescending);
    });
  });
}

// A table or chart wider than its frame shows an arrow at the edge until its end is reached.
for (const frame of document.querySelectorAll(".wide, .picture.live")) {
  const holder = document.createElement("div");
  holder.className = "scroll";
  frame.replaceWith(holder);
  holder.append(frame);
  const showCue = () => {
    const isMore = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2;
    holder.classList.toggle("more", isMore);
  };
  frame.addEventListener("scroll", showCue, { passive: true });
  const observer = new ResizeObserver(showCue);
  observer.observe(frame);
  observer.observe(frame.firstElementChild);
}
