// The game on the start page: one of its three sentences at a time; what is said about it comes after the guess.

document.documentElement.classList.add("plays"); // without scripts, all sentences and words stand there

addEventListener("DOMContentLoaded", () => {
  const rounds = [...document.querySelectorAll(".game .round")];
  const bar = document.querySelector(".game .rounds");
  const tabs = [...bar.children];
  const show = (number) => {
    rounds.forEach((round, i) => round.classList.toggle("now", i === number));
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === number));
  };
  rounds.forEach((round, i) => {
    round.addEventListener("attention-course-guessed", () => {
      round.classList.add("done");
      round.querySelector(".av-arc-opener").scrollIntoView({ block: "nearest" }); // the reply is just above it
    });
    const next = round.querySelector(".next");
    if (!next) return;
    next.hidden = false;
    next.onclick = () => {
      show(i + 1);
      tabs[i + 1].focus();
    };
  });
  tabs.forEach((tab, i) => (tab.onclick = () => show(i)));
  bar.hidden = false;
  show(0);
});
