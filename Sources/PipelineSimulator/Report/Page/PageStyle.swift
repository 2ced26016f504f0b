/// The style of every page: light and dark, for screen and print.
enum PageStyle {
  static let text = #"""
    :root{color-scheme:light dark;--bg:#fbfbfc;--panel:#fff;--ink:#1b1f24;--dim:#59636e;
    --line:#d5dae0;--grid:#e9ecef;--strong:#bcc4cd;--accent:#0b62c4;--good:#1a7f37;--bad:#c4231c;
    --front:#2b8a3e;--running:#8ccf7e;--asleep:#d9dee4;--gone:#a9b1ba;--quit:#e5605a;
    --wifi:#4c9be8;--cellular:#f0a339;--none:#e3e6ea;--power:#5fb878;--battery:#d6dbe1;--low:#e8b83c}
    @media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#0f1318;--panel:#171c23;
    --ink:#e6eaef;--dim:#98a4b1;--line:#303843;--grid:#232a33;--strong:#46505c;--accent:#6cb2ff;
    --good:#57c76f;--bad:#ff7a70;--front:#3fae57;--running:#2f6b3d;--asleep:#2b333d;--gone:#4a545f;
    --quit:#d0514b;--wifi:#3478bd;--cellular:#b97a22;--none:#262d36;--power:#39804f;
    --battery:#303842;--low:#a5811f}}
    :root[data-theme=dark]{color-scheme:dark;--bg:#0f1318;--panel:#171c23;
    --ink:#e6eaef;--dim:#98a4b1;--line:#303843;--grid:#232a33;--strong:#46505c;--accent:#6cb2ff;
    --good:#57c76f;--bad:#ff7a70;--front:#3fae57;--running:#2f6b3d;--asleep:#2b333d;--gone:#4a545f;
    --quit:#d0514b;--wifi:#3478bd;--cellular:#b97a22;--none:#262d36;--power:#39804f;
    --battery:#303842;--low:#a5811f}
    :root[data-theme=light]{color-scheme:light}
    *{box-sizing:border-box}
    body{margin:0;background:var(--bg);color:var(--ink);
    font:13px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
    main{max-width:1600px;margin:0 auto;padding:14px 20px 40px}
    header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 14px;margin-bottom:10px}
    h1{font-size:19px;margin:0}h2{font-size:14px;margin:22px 0 6px}
    header span{color:var(--dim)}header b{color:var(--ink);font-weight:600}
    header .room{flex:1}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(136px,1fr));gap:8px}
    .tile{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:7px 10px}
    .tile small{display:block;color:var(--dim);font-size:11px}
    .tile b{font-size:17px;font-weight:600;font-variant-numeric:tabular-nums}
    .tile i{display:block;font-style:normal;color:var(--dim);font-size:11px}
    .panel{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 10px}
    .tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:14px 0 6px}
    .tools .room{flex:1}
    button,select{font:inherit;color:var(--ink);background:var(--panel);border:1px solid var(--line);
    border-radius:5px;padding:2px 9px;cursor:pointer}
    button:hover,select:hover{border-color:var(--strong)}
    :focus-visible{outline:2px solid var(--accent);outline-offset:1px}
    svg{display:block;font-size:11px}svg text{fill:var(--ink)}svg text.dim{fill:var(--dim)}
    svg text.day{font-weight:600}
    #chart{cursor:crosshair;touch-action:none;user-select:none}
    #scroll{max-height:380px;overflow-y:auto;margin-top:8px;scrollbar-gutter:stable}
    #above{overflow-y:scroll;scrollbar-gutter:stable;scrollbar-color:transparent transparent}
    .legend{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--dim);font-size:12px;
    padding:4px 0 0 142px}
    .legend span::before{content:"";display:inline-block;width:10px;height:10px;border-radius:2px;
    margin-right:5px;background:var(--c)}
    #tip{position:fixed;z-index:9;pointer-events:none;max-width:420px;display:none;padding:6px 9px;
    background:var(--panel);border:1px solid var(--strong);border-radius:5px;
    box-shadow:0 3px 14px #0003}
    #tip b{display:block}#tip small{color:var(--dim);display:block;font-size:11.5px}
    .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(430px,1fr));gap:0 22px}
    .plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(390px,1fr));gap:12px}
    figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:6px;
    padding:8px 10px}figcaption{font-weight:600;margin-bottom:2px}
    figcaption small{font-weight:400;color:var(--dim)}
    .wide{overflow-x:auto}
    table{border-collapse:collapse;width:100%;background:var(--panel)}
    th,td{text-align:left;padding:3px 10px 3px 6px;border-bottom:1px solid var(--line);
    vertical-align:top}thead th{color:var(--dim);font-weight:500;white-space:nowrap}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    tbody th{font-weight:500}tr.best{background:color-mix(in srgb,var(--good) 13%,transparent)}
    td .bar{display:block;height:8px;margin-top:5px;border-radius:2px;background:var(--accent)}
    .good{color:var(--good)}.bad{color:var(--bad)}
    .chips{display:flex;flex-wrap:wrap;gap:6px;margin:8px 0}
    .chip{background:var(--panel);border:1px solid var(--line);border-radius:12px;padding:1px 10px}
    .chip small{color:var(--dim)}.chip b{font-weight:600}
    .verdict{border-left:3px solid var(--good);padding:4px 10px;margin:10px 0;background:var(--panel)}
    .advice{border-left:3px solid var(--low);padding:4px 10px;margin:4px 0;background:var(--panel)}
    pre{font:12px/1.45 ui-monospace,"DejaVu Sans Mono",Menlo,monospace;overflow-x:auto;margin:6px 0}
    code{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,monospace;font-size:12px}
    summary{cursor:pointer;color:var(--dim);margin-top:18px}
    .plot .axis{stroke:var(--strong)}.plot .grid{stroke:var(--grid)}
    .plot .line{fill:none;stroke-width:1.8}.plot .bar{stroke:none}
    @media print{.tools,#tip{display:none!important}#scroll{max-height:none}}
    """#
}
