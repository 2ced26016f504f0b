'use strict';
const D=JSON.parse(document.getElementById('data').textContent);
const NS='http://www.w3.org/2000/svg',G=132,R=16,DAY=864e5,OFF=D.start%DAY;
const chart=document.getElementById('chart'),list=document.getElementById('items');
const tip=document.getElementById('tip');
let a=0,b=Math.max(D.length,1),W=1000,lanes=[],rows=[];
const E=(name,set,parent,text)=>{const e=document.createElementNS(NS,name);
  for(const k in set)e.setAttribute(k,set[k]);if(text!==undefined)e.textContent=text;
  if(parent)parent.appendChild(e);return e};
const X=t=>G+(t-a)/(b-a)*(W-G-R),T=x=>a+(x-G)/(W-G-R)*(b-a);
const two=n=>String(n).padStart(2,'0');
const number=v=>v>=1e4?Math.round(v).toLocaleString('en'):String(Math.round(v*10)/10);
const span=ms=>{const s=ms/1000;return s<1?Math.round(ms)+' ms':s<60?number(s)+' s':
  s<5400?number(s/60)+' min':s<172800?number(s/3600)+' h':number(s/86400)+' d'};
const bytes=v=>{let u=0;while(v>=1024&&u<4){v/=1024;u++}
  return number(v)+' '+['B','KiB','MiB','GiB','TiB'][u]};
const days=['Thu','Fri','Sat','Sun','Mon','Tue','Wed'];
const weekday=t=>days[((Math.floor((D.start+t)/DAY)%7)+7)%7];
const dayOf=t=>Math.floor((t+OFF)/DAY)+1;
const clock=(t,seconds)=>{const r=((t+OFF)%DAY+DAY)%DAY;return two(Math.floor(r/36e5))+':'+
  two(Math.floor(r/6e4)%60)+(seconds?':'+two(Math.floor(r/1e3)%60):'')};
const moment=t=>weekday(t)+' day '+dayOf(t)+' '+clock(t,b-a<72e5);
const last=(list,t,key)=>{let lo=0,hi=list.length;while(lo<hi){const m=(lo+hi)>>1;
  if(key(list[m])<=t)lo=m+1;else hi=m}return lo-1};
const valueAt=(points,t)=>{const i=last(points,t,p=>p[0]);return i<0?0:points[i][1]};
const steps=[1e3,5e3,15e3,6e4,3e5,9e5,18e5,36e5,72e5,108e5,216e5,432e5,DAY,2*DAY,7*DAY,14*DAY,
  28*DAY,91*DAY,365*DAY];
function ticks(){
  const step=steps.find(s=>s/(b-a)*(W-G-R)>=(s>=DAY?58:46))||steps[steps.length-1];
  const found=[];for(let t=Math.ceil((a+OFF)/step)*step-OFF;t<=b;t+=step)found.push(t);
  return{step,found}}
function axis(svg,height){
  const{step,found}=ticks(),g=E('g',{},svg);
  for(const t of found){const isDay=(t+OFF)%DAY===0;
    E('line',{x1:X(t),x2:X(t),y1:isDay?16:30,y2:height,stroke:`var(--${isDay?'strong':'grid'})`},g);
    if(!isDay)E('text',{x:X(t),y:27,'text-anchor':'middle',class:'dim'},g,clock(t,step<6e4))}
  const width=Math.max(DAY,step),px=width/(b-a)*(W-G-R);
  for(let t=Math.floor((a+OFF)/width)*width-OFF;t<b;t+=width){
    const from=Math.max(X(t),G),room=Math.min(X(t+width),W-R)-from;
    if(room<34)continue;
    E('text',{x:from+3,y:12,class:'day'},g,room>74&&width===DAY?`day ${dayOf(t)} ${weekday(t)}`:
      `day ${dayOf(t)}`);
    if(step>=DAY&&t>a&&(t+OFF)%step===0)E('text',{x:X(t)+3,y:27,class:'dim'},g,weekday(t))}
  if(step>=DAY&&found.length===0)E('text',{x:G+3,y:27,class:'dim'},g,clock(a))}
const color=k=>D.colors[k]||'#999';
function label(svg,y,h,name,note){
  E('text',{x:4,y:y+Math.min(h/2+4,13),class:'day'},svg,name);
  if(note)E('text',{x:4,y:y+26,class:'dim'},svg,note)}
function band(svg,y,h,spans,fill,name,describe){
  label(svg,y,h,name);const g=E('g',{},svg);let end=-1,kind='';
  for(const s of spans){if(s[1]<a||s[0]>b)continue;
    const x0=Math.max(X(s[0]),G),x1=Math.min(X(s[1]),W-R);
    if(x1<end+.4&&kind===fill(s))continue;
    E('rect',{x:x0,y,width:Math.max(x1-x0,.8),height:h,fill:fill(s)},g);end=x1;kind=fill(s)}
  lanes.push({y,h,name,tell:t=>{const i=last(spans,t,s=>s[0]);
    return i>=0&&spans[i][1]>=t?describe(spans[i]):['nothing']}})}
const visible=(points,f)=>{let i=Math.max(last(points,a,p=>p[0]),0);
  for(;i<points.length&&points[i][0]<=b;i++)f(points[i])};
function area(svg,y,h,points,fill,name,write,top){
  const max=top||Math.max(1,...points.map(p=>p[1]));
  label(svg,y,h,name,'max '+write(Math.max(0,...points.map(p=>p[1]))));
  E('line',{x1:G,x2:W-R,y1:y+h,y2:y+h,stroke:'var(--line)'},svg);
  let d=`M${G} ${y+h}`,v=0;
  visible(points,p=>{const x=Math.max(X(p[0]),G).toFixed(1);
    d+=`H${x}V${(y+h-p[1]/max*h).toFixed(1)}`;v=p[1]});
  const end=Math.min(X(D.length),W-R).toFixed(1);
  E('path',{d:d+`H${end}V${y+h}Z`,fill,'fill-opacity':.55,stroke:fill},svg);
  lanes.push({y,h,name,tell:t=>[write(valueAt(points,t))]})}
function stack(svg,y,h,name){
  const keys=Object.keys(D.held),all=[['moving',D.moving],...keys.map(k=>[k,D.held[k]])];
  const max=Math.max(1,...D.queue.map(p=>p[1]));
  label(svg,y,h,name,'max '+number(max));
  const times=[...new Set([a,...all.flatMap(([,s])=>s.map(p=>p[0]).filter(t=>t>a&&t<b))])]
    .sort((m,n)=>m-n);
  const end=Math.min(X(D.length),W-R);let floor=times.map(()=>0);
  for(const[key,series]of all){let top='',below='',any=false;
    const next=times.map((t,i)=>{const v=valueAt(series,t);any=any||v>0;return floor[i]+v});
    const Y=v=>(y+h-Math.min(v/max,1)*h).toFixed(1);
    times.forEach((t,i)=>{const x0=Math.max(X(t),G).toFixed(1);
      const x1=(i+1<times.length?X(times[i+1]):end).toFixed(1);
      top+=`${i?'L':'M'}${x0} ${Y(next[i])}H${x1}`;below=`L${x1} ${Y(floor[i])}H${x0}`+below});
    if(any)E('path',{d:top+below+'Z',fill:color(key),'fill-opacity':.85},svg);floor=next}
  E('line',{x1:G,x2:W-R,y1:y+h,y2:y+h,stroke:'var(--line)'},svg);
  lanes.push({y,h,name,tell:t=>[number(valueAt(D.queue,t))+' queued',
    ...all.map(([k,s])=>[k,valueAt(s,t)]).filter(p=>p[1]>0).map(([k,v])=>k==='moving'?
      number(v)+' moving':number(v)+' held by '+k+': '+(D.meanings[k]||''))]})}
function marks(svg,y,h,points,fill,name,size,describe,total){
  label(svg,y,h,name,number(total)+' in all');const g=E('g',{},svg);let x0=-9;
  E('line',{x1:G,x2:W-R,y1:y+h,y2:y+h,stroke:'var(--line)'},svg);
  for(const p of points){if(p[0]<a||p[0]>b)continue;const x=X(p[0]);
    if(x-x0<.7&&size(p)<1)continue;x0=x;
    E('rect',{x:x-.9,y:y+h-size(p)*h,width:1.8,height:size(p)*h,fill},g)}
  lanes.push({y,h,name,tell:t=>{const near=points.filter(p=>Math.abs(X(p[0])-X(t))<5);
    return near.length?near.slice(0,6).map(describe):['none here']}})}
const names={front:'in the foreground',running:'in the background, running on an allowance',
  asleep:'suspended',gone:'not in memory',quit:'swiped away: only the user can launch it again'};
function draw(){
  W=Math.max(chart.parentNode.clientWidth,640);lanes=[];
  chart.replaceChildren();const H=430;chart.setAttribute('width',W);chart.setAttribute('height',H);
  axis(chart,H-4);let y=38;
  const next=(h,gap)=>{const at=y;y+=h+(gap||10);return at};
  band(chart,next(16),16,D.life,s=>`var(--${s[2]})`,'App',s=>[names[s[2]],
    `for ${span(s[1]-s[0])}, until ${moment(s[1])}`]);
  band(chart,next(8),8,D.allowances,()=>'var(--front)','Allowance',s=>[
    `granted for ${span(s[1]-s[0])} (BT1, BT2)`,`until ${moment(s[1])}`]);
  band(chart,next(12,3),12,D.conditions,s=>`var(--${s[2]})`,'Network',s=>[s[4]]);
  band(chart,next(12),12,D.conditions,s=>`var(--${s[3]})`,'Power',s=>[s[4]]);
  stack(chart,next(74),74,'Transfers');
  area(chart,next(44),44,D.done,'var(--good)','Items done',number,D.items);
  area(chart,next(34),34,D.disk,'#c558a5','Disk in use',bytes);
  area(chart,next(34),34,D.ids,'#4f7fb5','IDs valid',number);
  const most=Math.max(60,...D.wakes.map(w=>w[1]));
  marks(chart,next(28),28,D.wakes,'#d62f2f','Wakes',w=>.25+.75*Math.log2(1+w[1]/60)/
    Math.log2(1+most/60),w=>`${w[2]>1?w[2]+' resumes':'resumed'} by the transfer service, `+
    `then the delay is ${span(w[1]*1e3)} (RL1)`,D.totals.wakes);
  marks(chart,next(28),28,D.reissues,'#ee8a1d','Reissued',()=>.8,r=>r[1],D.totals.reissues);
  chart.setAttribute('height',y);E('line',{id:'cross',y1:30,y2:y,stroke:'var(--dim)',
    'stroke-dasharray':'2 3',visibility:'hidden'},chart);drawItems()}
const order=document.getElementById('order');
function sorted(){const r=[...D.lanes];
  const wait=l=>l.p.reduce((s,p)=>s+(D.kinds[p[2]]==='moving'?0:p[1]-p[0]),0);
  if(order&&order.value==='end')r.sort((m,n)=>(m.e?m.e[0]:1/0)-(n.e?n.e[0]:1/0));
  if(order&&order.value==='wait')r.sort((m,n)=>wait(n)-wait(m));return r}
function drawItems(){
  if(!list)return;rows=sorted();const h=13;list.replaceChildren();
  list.setAttribute('width',W);list.setAttribute('height',rows.length*h+4);
  for(const t of ticks().found)E('line',{x1:X(t),x2:X(t),y1:0,y2:rows.length*h,
    stroke:`var(--${(t+OFF)%DAY===0?'strong':'grid'})`},list);
  rows.forEach((row,i)=>{const y=i*h+2;
    E('text',{x:4,y:y+9.5,class:'dim'},list,row.n.length>19?row.n.slice(0,18)+'…':row.n);
    let end=-1;
    for(const p of row.p){if(p[1]<a||p[0]>b)continue;
      const x0=Math.max(X(p[0]),G),x1=Math.min(X(p[1]),W-R);if(x1<end+.5)continue;
      E('rect',{x:x0,y:y+1,width:Math.max(x1-x0,.9),height:h-3,fill:color(D.kinds[p[2]])},list);
      end=x1}
    if(row.e&&row.e[0]>=a&&row.e[0]<=b){const x=X(row.e[0]),ok=row.e[1]==='done';
      E('path',{d:ok?`M${x-1} ${y+6}l3 3l5 -7`:`M${x} ${y+2}l6 6m0 -6l-6 6`,fill:'none',
        'stroke-width':1.7,stroke:ok?'var(--good)':'var(--bad)'},list)}})}
const said=k=>k==='moving'?'moves bytes':k==='sent'?'is sent, but the response has not arrived':
  k==='TX5'?'has ended, but the app has not been notified (TX5): it is resumed when all transfers have ended':
  /^[A-Z]/.test(k)?`held by ${k}: ${D.meanings[k]}`:`${k}: ${D.meanings[k]||''}`;
function show(event,title,lines){
  tip.replaceChildren();const head=document.createElement('b');head.textContent=title;
  tip.append(head);for(const l of lines){const e=document.createElement('small');
    e.textContent=l;tip.append(e)}
  tip.style.display='block';const box=tip.getBoundingClientRect();
  tip.style.left=Math.min(event.clientX+14,innerWidth-box.width-8)+'px';
  tip.style.top=(event.clientY+16+box.height>innerHeight?event.clientY-box.height-10:
    event.clientY+16)+'px'}
function hide(){tip.style.display='none';const c=document.getElementById('cross');
  if(c)c.setAttribute('visibility','hidden')}
function zoom(factor,at){const least=1e3,width=Math.min(Math.max((b-a)*factor,least),D.length||1);
  const part=(at-a)/(b-a);a=at-width*part;b=a+width;clamp();draw()}
function clamp(){const width=b-a;if(a<0){a=0;b=width}
  if(b>D.length){b=Math.max(D.length,1);a=Math.max(b-width,0)}}
function pan(part){const by=(b-a)*part;a+=by;b+=by;clamp();draw()}
let grip=null;
chart.addEventListener('wheel',e=>{e.preventDefault();
  zoom(e.deltaY>0?1.25:.8,T(Math.max(e.offsetX,G)))},{passive:false});
chart.addEventListener('pointerdown',e=>{grip={x:e.clientX,a,b};
  chart.setPointerCapture(e.pointerId)});
chart.addEventListener('pointerup',()=>{grip=null});
chart.addEventListener('pointerleave',hide);
chart.addEventListener('pointermove',e=>{
  const box=chart.getBoundingClientRect(),x=e.clientX-box.left,y=e.clientY-box.top;
  if(grip){const by=(grip.x-e.clientX)/(W-G-R)*(grip.b-grip.a);
    a=grip.a+by;b=grip.b+by;clamp();draw();return}
  if(x<G||x>W-R){hide();return}
  const t=T(x),cross=document.getElementById('cross');
  for(const n of['x1','x2'])cross.setAttribute(n,x);cross.setAttribute('visibility','visible');
  const lane=lanes.find(l=>y>=l.y&&y<=l.y+l.h)||lanes.find(l=>y>=l.y-3&&y<=l.y+l.h+6);
  show(e,`${moment(t)}  (+${span(t)})`,lane?[lane.name+': '+lane.tell(t)[0],
    ...lane.tell(t).slice(1)]:[])});
if(list){list.addEventListener('pointerleave',hide);
  list.addEventListener('pointermove',e=>{
    const box=list.getBoundingClientRect(),x=e.clientX-box.left;
    const row=rows[Math.floor((e.clientY-box.top-2)/13)];if(!row||x<G){hide();return}
    const t=T(x),i=last(row.p,t,p=>p[0]),p=i>=0&&row.p[i][1]>=t?row.p[i]:null;
    const lines=p?[said(D.kinds[p[2]]),`for ${span(p[1]-p[0])}, until ${moment(p[1])}`]:[];
    if(row.e)lines.push(`${row.e[1]} at ${moment(row.e[0])}, after ${span(row.e[0])}`);
    show(e,`${row.n}, ${moment(t)}`,lines)})}
if(order)order.onchange=drawItems;
const act={in:()=>zoom(.5,(a+b)/2),out:()=>zoom(2,(a+b)/2),left:()=>pan(-.3),
  right:()=>pan(.3),all:()=>{a=0;b=Math.max(D.length,1);draw()}};
for(const e of document.querySelectorAll('[data-act]'))e.onclick=act[e.dataset.act];
chart.addEventListener('keydown',e=>{const k={'+':'in','=':'in','-':'out',ArrowLeft:'left',
  ArrowRight:'right','0':'all'}[e.key];if(k){e.preventDefault();act[k]()}});
addEventListener('resize',draw);draw();
